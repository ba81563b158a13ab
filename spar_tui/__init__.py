"""The interfaces of spar: the terminal app, the command line and the settings."""

import os

# Computations here are small: a second thread of the linear algebra only spins while it waits for work, and costs a
# third more processor time. numpy reads this when first imported; a value that the person has set is kept.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "0.1.0"
