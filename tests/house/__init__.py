"""The house rules, the package, the estimators and the tools."""
