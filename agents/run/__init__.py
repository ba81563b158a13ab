"""The run kernel: the parts that all kinds of runs share."""
