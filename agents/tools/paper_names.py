"""Find the paper in the library that a person or a model names."""

import re
from collections.abc import Sequence

from agents.builtin.question_parsing.lexicon import tells
from agents.builtin.question_parsing.phrases import is_field_word
from agents.tools.tool import ToolContext, ToolError
from cache import citation_keys, fulltext, papers
from cache.store import PaperId
from connectors.identifiers import parse_identifier
from connectors.paper import Paper

SHOWN, ALL, IT = "@shown", "@all", "@it"
"""Names for the papers shown last, all candidates, and the paper looked at last."""
SIMILAR = 86
"""Similarity (of 100) from which a title counts as a paper's."""
CLOSE = 60
"""Similarity from which titles are suggested for a title that no paper has."""

_PLACE = re.compile(r"@([0-9]{1,4})")
_TOP = re.compile(r"@top([0-9]{1,3})")
"""The first N candidates."""
_NUMBER = re.compile(r"#([0-9]{1,12})")


class UnknownPaper(ToolError):
    """No paper in the library has this name; `name` is the name given."""

    def __init__(self, name: str, near: Sequence[str] = ()) -> None:
        offer = f" The nearest titles are {' and '.join(f'“{title}”' for title in near)}." if near else ""
        super().__init__(f"No paper of your library is called “{name[:200]}”.{offer}")
        self.name = name


def named_papers(names: Sequence[str], context: ToolContext) -> tuple[PaperId, ...]:
    """Return the papers called `names`, each once, in order. Raises `UnknownPaper`, `CacheError`, and `ToolError`
    for a position at which nothing was shown."""
    paper_ids: list[PaperId] = []
    for name in names:
        paper_ids += _named(name.strip(), context)
    return tuple(dict.fromkeys(paper_ids))


def the_paper(name: str, context: ToolContext) -> tuple[PaperId, Paper]:
    """Return the one paper called `name`. Raises as `named_papers`."""
    numbers = named_papers([name], context)
    if len(numbers) != 1:
        raise ToolError(f"{name} means {len(numbers)} papers; name one of them.")
    return numbers[0], papers.by_id(context.store, numbers[0])


def _named(name: str, context: ToolContext) -> Sequence[PaperId]:
    if name == SHOWN:
        if not context.shown:
            raise ToolError("No papers were shown yet; ask for some first.")
        return context.shown
    if name == IT:
        if context.focus is None and len(context.shown) != 1:
            raise ToolError("It is not clear which paper you mean; name one.")
        return [context.focus] if context.focus is not None else context.shown
    if name == ALL:
        if context.candidates is None:
            raise ToolError("No papers were chosen yet; ask for some first.")
        return context.candidates
    if top := _TOP.fullmatch(name):
        if not context.candidates:
            raise ToolError("There are no papers to choose from.")
        return context.candidates[: int(top[1])]
    if match := _PLACE.fullmatch(name):
        rank, candidates = int(match[1]), context.candidates or ()
        if len(context.shown) < rank <= len(candidates):
            return [candidates[rank - 1]]
        if not 1 <= rank <= len(context.shown):
            count = len(context.shown)
            were = "none was" if not count else "one was" if count == 1 else f"{count:,} were"
            raise ToolError(f"There is no paper {rank}; {were} shown last.")
        return [context.shown[rank - 1]]
    if (number := _NUMBER.fullmatch(name)) and papers.by_ids(context.store, [int(number[1])]):
        return [PaperId(int(number[1]))]
    if (key := citation_keys.paper_of(context.store, name)) is not None:
        return [key]
    if (identifier := parse_identifier(name)) is not None:
        if paper := papers.find(context.store, [identifier]):
            number_of = papers.number_of(context.store, paper)
            return [number_of] if number_of is not None else []
        raise UnknownPaper(name)
    return [_by_title(name, context)]


def _by_title(name: str, context: ToolContext) -> PaperId:
    """Return the paper whose title, or short name before the colon, is `name`. A typing error is tolerated; an
    invented title does not match the closest one."""
    title_wanted = _plain(name)
    if not title_wanted:
        raise UnknownPaper(name)
    match = fulltext.search(context.store, name, limit=25)
    if context.candidates is not None:
        match = [*papers.by_ids(context.store, context.candidates[:200]), *match]
    scored = sorted(((_similarity(title_wanted, paper.title), index, paper) for index, paper in enumerate(match)),
                    key=lambda entry: (-entry[0], entry[1]))  # fmt: skip
    if scored and scored[0][0] >= SIMILAR:
        number = papers.number_of(context.store, scored[0][2])
        if number is not None:
            return number
    if (only := _only_one_with(name, match)) and (number := papers.number_of(context.store, only)) is not None:
        return number
    raise UnknownPaper(name, [paper.title for score, _, paper in scored[:2] if score >= CLOSE])


_THE_PAPER = re.compile(r"(?:the|that) (?P<word>[\w+-]+) (?:paper|article|preprint|one)")


def _only_one_with(name: str, candidates: Sequence[Paper]) -> Paper | None:
    """Return the one paper with a name in its title, as in "the AlphaFold paper"; None if no paper or several have
    it."""
    match = _THE_PAPER.fullmatch(name)
    if match is None or match["word"].islower():
        return None
    by_title = {
        paper.title: paper for paper in candidates if f" {_plain(match['word'])} " in f" {_plain(paper.title)} "
    }
    return by_title.popitem()[1] if len(by_title) == 1 else None


def _similarity(name: str, title: str) -> float:
    whole = _plain(title)
    short = _plain(title.split(":")[0])
    begins = 90.0 if whole.startswith(f"{name} ") and (len(name.split()) >= 3 or _is_name(name)) else 0.0
    from rapidfuzz import fuzz  # imported here, because few messages need it

    return max(fuzz.ratio(name, whole), fuzz.ratio(name, short) if short else 0.0, begins)


def _is_name(word: str) -> bool:
    """Whether a word by itself can only be a name: `limma` is not a word of any field, `learning` is."""
    return " " not in word and len(word) > 3 and tells(word) and not is_field_word(word)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))
