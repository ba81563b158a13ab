"""Errors of callbacks, timers and workers that reach a widget after its removal."""

from collections.abc import Iterator
from traceback import walk_tb

from textual.app import App, ScreenStackError
from textual.css.query import NoMatches
from textual.dom import DOMNode, NoScreen
from textual.errors import NoWidget
from textual.widget import MountError
from textual.worker import WorkerFailed

_MISSING = (NoMatches, NoScreen, NoWidget, MountError, ScreenStackError)
"""Errors that Textual raises for a missing widget or screen."""


def is_late(error: Exception) -> bool:
    """Whether `error` reports something missing in a widget or an app that is closed or closing.

    An error ends the message loop of the widget that was handling a message, so it is late only if that widget is
    closed.
    """
    cause = error.error if isinstance(error, WorkerFailed) else error
    if not isinstance(cause, _MISSING):
        return False
    nodes = list(_nodes(cause))
    handling = [node for method, node in nodes if method == "_dispatch_message"]
    return any(map(_is_closed, handling[:1] or [node for _, node in nodes]))


def _nodes(error: BaseException) -> Iterator[tuple[str, DOMNode]]:
    """Yield the methods that `error` passed through, each with its widget or app, outermost first."""
    for frame, _ in walk_tb(error.__traceback__):
        if isinstance(node := frame.f_locals.get("self"), DOMNode):
            yield frame.f_code.co_name, node


def _is_closed(node: DOMNode) -> bool:
    app = node if isinstance(node, App) else node.app
    return node._closing or node._closed or node._pruning or app._exit or not app._running
