"""Every figure that is claimed of the program's speed and size, measured again in one run: `make bench`."""
