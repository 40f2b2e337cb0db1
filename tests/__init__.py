"""What a notebook should not say: the house rules, the package, the tools around them."""
