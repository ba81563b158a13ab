"""What has to be known of the schema without building it."""

VERSION = 13
"""How many steps `cache.migrations` has; kept in the file's `user_version`."""

SCHEMA = "8d142eb22ad012f204eac53d7ebc9ed4a0b599373adabbdbccf36eee76f5f5f8"
"""The digest of the schema of this version (`cache.schema.digest`)."""

APPLICATION_ID = 0x53504152
"""`SPAR` in the file's header: another program's database is never taken for a library."""

TOKENIZER = "porter unicode61 remove_diacritics 2"

ASKED = "NOT coalesce(CASE WHEN json_valid(parameters) THEN json_extract(parameters, '$.unasked') END, 0)"
"""Of a row of `runs`: that somebody asked for the run, or has looked at it."""
