"""Measurements that are run by hand."""

import spar_tui as spar_tui  # first, as in the program: it holds linear algebra to one thread
