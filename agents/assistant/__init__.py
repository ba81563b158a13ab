"""The assistant: a conversation over the table of tools (InteRecAgent)."""
