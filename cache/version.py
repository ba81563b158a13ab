"""What has to be known of the schema without building it."""

VERSION = 17
"""How many steps `cache.migrations` has; kept in the file's `user_version`."""

SCHEMA = "4f8cc6dfa8d2acddd4fd71edfcc3ca5c8e4e7fadad038a0fd89c1452c1285234"
"""The digest of the schema of this version (`cache.schema.digest`)."""

UPGRADED = "upgraded"
"""The name in `upkeep` that says that the file was upgraded and not written anew since."""

APPLICATION_ID = 0x53504152
"""`SPAR` in the file's header: another program's database is never taken for a library."""

TOKENIZER = "porter unicode61 remove_diacritics 2"

ASKED = "NOT coalesce(CASE WHEN json_valid(parameters) THEN json_extract(parameters, '$.unasked') END, 0)"
"""Of a row of `runs`: that somebody asked for the run, or has looked at it."""
