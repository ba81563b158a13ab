"""Google Scholar, through a provider."""
