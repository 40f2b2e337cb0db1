"""What the pages of the chapter on ensembles should not say."""
