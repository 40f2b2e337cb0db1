"""What the pages of the chapter basics should not say."""
