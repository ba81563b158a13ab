"""What a person sees of spar: the terminal app, the command line and the settings."""

import os

# What is computed here is small: a second thread of the linear algebra only spins while it waits for work, and costs a
# third more processor time. It is read when numpy is first imported; a value that the person has set stays.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "0.1.0"
