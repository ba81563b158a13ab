"""How spar came onto this machine, whether it is whole, and how to add to it.

It is looked at before anything else of ours is imported, so these files import nothing but the standard library."""
