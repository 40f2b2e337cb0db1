"""What the pages of the chapter bayes should not say."""
