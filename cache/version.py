"""The facts about the schema that are needed without building it."""

VERSION = 20
"""The number of steps in `cache.migrations`, stored in the file's `user_version`."""

SCHEMA = "e6044bc3cef8b1ed460ba3320cd0a0a515d1bb4f70959f3210e8834bf6ece1a1"
"""The digest of the schema of this version (`cache.schema.digest`)."""

UPGRADED = "upgraded"
"""The name in `upkeep` that marks an upgraded file that has not been compacted since."""

APPLICATION_ID = 0x53504152
"""`SPAR` in the file's header, so that another program's database is never taken for a library."""

TOKENIZER = "porter unicode61 remove_diacritics 2"

ASKED = "NOT coalesce(CASE WHEN json_valid(parameters) THEN json_extract(parameters, '$.unasked') END, 0)"
"""SQL condition on a row of `runs`: somebody asked for the run or has opened it."""
