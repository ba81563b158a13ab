"""Screen the papers of a search one by one."""
