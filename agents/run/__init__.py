"""The run kernel: what every kind of run has, whatever it is for."""
