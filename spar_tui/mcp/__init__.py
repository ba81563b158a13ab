"""The table of tools for other programs, over the Model Context Protocol. Needs the extra `mcp`; only `spar mcp`
imports it."""
