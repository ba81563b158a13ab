"""What has to be known of the schema without building it."""

VERSION = 18
"""How many steps `cache.migrations` has; kept in the file's `user_version`."""

SCHEMA = "097874140946f80c9d4f829462fa4da251b3ad5048271d2f193b1a5fcd4ae49d"
"""The digest of the schema of this version (`cache.schema.digest`)."""

UPGRADED = "upgraded"
"""The name in `upkeep` that says that the file was upgraded and not written anew since."""

APPLICATION_ID = 0x53504152
"""`SPAR` in the file's header: another program's database is never taken for a library."""

TOKENIZER = "porter unicode61 remove_diacritics 2"

ASKED = "NOT coalesce(CASE WHEN json_valid(parameters) THEN json_extract(parameters, '$.unasked') END, 0)"
"""Of a row of `runs`: that somebody asked for the run, or has looked at it."""
