"""What documents cite: the references of a paper, a thesis or a page, read from any file that holds them.

    document = read_document(Path("paper.docx"))
    document.found.entries  # as from a bibliography; `text` is the reference that an entry was read from

A kind of file is a reader here; the list of references in a text is found and divided in `connectors.pdf`, whatever
the text came from. Documents are written by strangers: sizes are bounded, and no file outside a document's folder is
opened.
"""
