"""What keeps the book in order: run the notebooks,
export the package, hold the house rules."""
