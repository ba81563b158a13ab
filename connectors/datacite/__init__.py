"""DataCite: the registry of DOIs of data, software and other contents of repositories."""
