"""A bibliography to and from the Zotero that runs on the person's machine."""
