"""Google Scholar, by a provider that answers for it."""
