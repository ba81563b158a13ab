"""What one writes in."""
