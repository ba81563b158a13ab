"""What becomes of bibliographies that other people keep."""
