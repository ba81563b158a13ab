"""What has to be known of the schema without building it."""

VERSION = 13
"""How many steps `cache.migrations` has; kept in the file's `user_version`."""

APPLICATION_ID = 0x53504152
"""`SPAR` in the file's header: another program's database is never taken for a library."""

TOKENIZER = "porter unicode61 remove_diacritics 2"

ASKED = "NOT coalesce(json_extract(parameters, '$.unasked'), 0)"
"""Of a row of `runs`: that somebody asked for the run, or has looked at it."""
