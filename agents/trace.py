"""What happens in a run, told to the log: what sources came to, and what the model was asked and cost. Never a query, a
paper or a text."""

import logging

from agents.run.events import SourceAnswered, Spent

LOG = logging.getLogger("spar.run")
_SHORT = 3


def traced(run: str, event: object) -> None:
    """Tell the log of `event`, if it is of those that it tells."""
    match event:
        case SourceAnswered():
            told = f": {event.error}" if event.error and not _quotes(event.error, event.query) else ""
            LOG.info("%s %s %s, %d found, %.2f s%s", run, event.source, event.state, event.found, event.seconds, told)
        case Spent():
            figures = event.calls, event.remembered, event.input_tokens, event.output_tokens
            LOG.info("%s model, %s: %d calls, %d remembered, %d tokens in, %d out", run, event.step, *figures)


def _quotes(sentence: str, query: str) -> bool:
    """Whether a sentence may repeat what was asked: services like to answer with the question."""
    told = sentence.casefold()
    return any(len(word) > _SHORT and word in told for word in query.casefold().split())
