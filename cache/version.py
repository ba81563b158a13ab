"""What has to be known of the schema without building it."""

VERSION = 14
"""How many steps `cache.migrations` has; kept in the file's `user_version`."""

SCHEMA = "fe998ed8e52859685e3022f9d1fbecce2a5d7fe5e62b8cf1cf36d4344b348775"
"""The digest of the schema of this version (`cache.schema.digest`)."""

APPLICATION_ID = 0x53504152
"""`SPAR` in the file's header: another program's database is never taken for a library."""

TOKENIZER = "porter unicode61 remove_diacritics 2"

ASKED = "NOT coalesce(CASE WHEN json_valid(parameters) THEN json_extract(parameters, '$.unasked') END, 0)"
"""Of a row of `runs`: that somebody asked for the run, or has looked at it."""
