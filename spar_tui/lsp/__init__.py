"""The language server: references while a document is written, in any editor that supports LSP."""
