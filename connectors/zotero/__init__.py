"""A person's own Zotero, which runs on the same machine: reading its library, and adding to it.

It is no source: nothing is looked up in it, no rate limit holds, and what it tells is the person's own.
"""
