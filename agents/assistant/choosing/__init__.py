"""Choose papers when too few meet all conditions."""
