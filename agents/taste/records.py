"""What papers of the person's history are named by, and what others share with them: they stand so in events."""

from dataclasses import dataclass

from agents.run.events import Link


@dataclass(frozen=True, slots=True)
class HistoryPaper:
    """A paper that the person did something with: what, and what that weighs today, from 0 to 1.

    `number` is its number in the library, `id` its name, `key` its citation key if it has one.
    """

    number: int
    id: str
    title: str
    year: int | None = None
    weight: float = 1.0
    acts: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a candidate shares with a paper of the history: words that stand so in both, and how the two are linked.

    With `references` the candidate cites the paper, with `citations` the paper cites it; `shared_references` counts the
    works that both cite. `keywords` are those that sources gave to both. `support` is the paper's share in the
    candidate's score. Where nothing was `looked_up`, they share something, but nobody knows yet what.

    What rests on a `line` of the person's own has that line in place of the paper's number, which is 0 then.
    """

    number: int
    support: float
    words: tuple[str, ...] = ()
    link: Link | None = None
    shared_references: int = 0
    keywords: tuple[str, ...] = ()
    line: str = ""
    looked_up: bool = True
