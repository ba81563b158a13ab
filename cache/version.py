"""The facts about the schema that are needed without building it."""

VERSION = 19
"""The number of steps in `cache.migrations`, stored in the file's `user_version`."""

SCHEMA = "a83080e87274cdd59b4813c0ab8d60c1a21516ddc4494f5ab3ae8d3af1805522"
"""The digest of the schema of this version (`cache.schema.digest`)."""

UPGRADED = "upgraded"
"""The name in `upkeep` that marks an upgraded file that has not been compacted since."""

APPLICATION_ID = 0x53504152
"""`SPAR` in the file's header, so that another program's database is never taken for a library."""

TOKENIZER = "porter unicode61 remove_diacritics 2"

ASKED = "NOT coalesce(CASE WHEN json_valid(parameters) THEN json_extract(parameters, '$.unasked') END, 0)"
"""SQL condition on a row of `runs`: somebody asked for the run or has opened it."""
