"""Read and extend the library of the Zotero on the person's machine. It is not a source: it is not searched and has
no rate limit, and its contents are the person's own."""
