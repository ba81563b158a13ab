"""Reading a question without a model (SPAR §3.1): what is asked for, within which limits, and what to send to whom."""

from agents.builtin.question_parsing.intents import Intent
from agents.builtin.question_parsing.question import Reading, read
from agents.builtin.question_parsing.sources import choose_sources, only_for_named_papers

__all__ = ["Intent", "Reading", "choose_sources", "only_for_named_papers", "read"]
