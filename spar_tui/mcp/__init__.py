"""The table of tools for other programs, over the Model Context Protocol. Needs the extra `mcp`; `spar mcp` alone
imports it."""
