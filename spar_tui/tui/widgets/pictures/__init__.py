"""What is drawn of several papers at a glance."""
