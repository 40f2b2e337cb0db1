"""The site and what the browser shows: formulas, players, theme, API reference."""
