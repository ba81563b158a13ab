"""Exchange bibliographies with the Zotero that runs on the person's machine."""
