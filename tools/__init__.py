"""What keeps the book in order."""
