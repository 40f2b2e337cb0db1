"""What the pages of the chapter neighbors should not say."""
