"""What the pages of the chapter evaluation should not say."""
