"""What has to be known of the schema without building it."""

VERSION = 19
"""How many steps `cache.migrations` has; kept in the file's `user_version`."""

SCHEMA = "a83080e87274cdd59b4813c0ab8d60c1a21516ddc4494f5ab3ae8d3af1805522"
"""The digest of the schema of this version (`cache.schema.digest`)."""

UPGRADED = "upgraded"
"""The name in `upkeep` that says that the file was upgraded and not written anew since."""

APPLICATION_ID = 0x53504152
"""`SPAR` in the file's header: another program's database is never taken for a library."""

TOKENIZER = "porter unicode61 remove_diacritics 2"

ASKED = "NOT coalesce(CASE WHEN json_valid(parameters) THEN json_extract(parameters, '$.unasked') END, 0)"
"""Of a row of `runs`: that somebody asked for the run, or has looked at it."""
