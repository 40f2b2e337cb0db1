"""What the pages of the chapter trees should not say."""
