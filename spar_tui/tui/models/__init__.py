"""What the screens show, independent of Textual's screens."""
