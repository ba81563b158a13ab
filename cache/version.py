"""What has to be known of the schema without building it."""

VERSION = 15
"""How many steps `cache.migrations` has; kept in the file's `user_version`."""

SCHEMA = "cee20d58a51d06814e5b899d7867d897a87f59ecb335035ae1452e98861167d9"
"""The digest of the schema of this version (`cache.schema.digest`)."""

APPLICATION_ID = 0x53504152
"""`SPAR` in the file's header: another program's database is never taken for a library."""

TOKENIZER = "porter unicode61 remove_diacritics 2"

ASKED = "NOT coalesce(CASE WHEN json_valid(parameters) THEN json_extract(parameters, '$.unasked') END, 0)"
"""Of a row of `runs`: that somebody asked for the run, or has looked at it."""
