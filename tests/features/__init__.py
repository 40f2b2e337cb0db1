"""What the pages of the chapter features should not say."""
