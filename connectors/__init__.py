"""The sources, and `Paper`, the one record every source is turned into."""

import sys
from types import ModuleType

# httpx brings a command line of its own along, unless it is missing: click, rich and pygments are half of its import.
sys.modules.setdefault("httpx._main", ModuleType("httpx._main"))
