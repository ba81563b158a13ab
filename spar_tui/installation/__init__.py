"""How spar was installed, whether the installation is complete, and how to add to it. This is checked before any
other spar module is imported, so these files import only the standard library."""
