"""What the screens show, without a screen."""
