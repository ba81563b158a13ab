"""DataCite: the registry of the DOIs of data, software and whatever else repositories hold."""
