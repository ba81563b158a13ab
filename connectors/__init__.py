"""The sources, and `Paper`, the record to which every source's records are converted."""

import sys
from types import ModuleType

# httpx imports its own command line unless this module exists: click, rich and pygments are half of its import time.
sys.modules.setdefault("httpx._main", ModuleType("httpx._main"))
