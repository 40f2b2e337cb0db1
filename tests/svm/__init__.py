"""What the pages of the chapter on support vector machines should not say."""
