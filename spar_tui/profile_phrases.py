"""The profile in sentences: the same on the command line and in the app."""

from collections.abc import Mapping, Sequence

from agents.taste.whole_profile import NamedLine, Profile
from agents.tools.profile_actions import ProfileChange
from cache.profile import Facet
from spar_tui.phrases import counted, papers_text, sentence

HEADINGS: Mapping[Facet, str] = {"like": "You like", "dislike": "You do not like", "expect": "You expect"}
NOTHING_YET = (
    'your profile is empty: save or import papers, or add a line: spar profile add like "graph neural networks".'
)


def basis_text(line: NamedLine, papers: Sequence[str]) -> str:
    """Return the origin of a line: `understood from 5 papers: smith20, “Engines” and 3 more`; `papers` are the names
    of the first ones."""
    if not line.papers:
        return "your own words"
    origin = "your own words, based on" if line.own else "understood from"
    more = len(line.papers) - len(papers)
    names = f"{', '.join(papers)}{f' and {more:,} more' if more else ''}"
    return f"{origin} {papers_text(len(line.papers))}{f': {names}' if papers else ''}"


def trouble_texts(profile: Profile) -> list[str]:
    """Return a sentence on each contradiction in the profile, and on what counts of it."""
    sentences = [
        f"Lines {' and '.join(str(line.number) for line in contradiction.lines)} contradict each other "
        f"({contradiction.why}): neither counts until you delete one."
        if len(contradiction.lines) > 1
        else f"Line {contradiction.lines[0].number} does not count: {contradiction.why}."
        for contradiction in profile.contradictions
    ]
    sentences += [
        f"Line {mine.name} contradicts line {other.name}, which follows from what you did with papers: both count "
        "until you delete one."
        for mine, other in profile.against
    ]
    return sentences


def done_texts(change: ProfileChange) -> list[str]:
    """Return sentences on a change, the changes to its text, and contradictions of the line."""
    sentences = [_done(change)]
    sentences += [f"{sentence(clause)}." for clause in change.remarks]
    sentences += trouble_texts(Profile(contradictions=change.contradictions))
    return sentences


def forgotten_text(lines: Sequence[NamedLine], papers: int) -> str:
    """Return what was forgotten: `2 lines of your own and 1 understood line; what you did until now with 7 papers
    …`."""
    own = sum(line.own is not None for line in lines)
    kinds = [f"{counted(own, 'line')} of your own"] if own else []
    kinds += [counted(len(lines) - own, "understood line")] if len(lines) > own else []
    subject = " and ".join(kinds) or "no line"
    if papers:
        subject += (
            f"; your earlier actions with {papers_text(papers)} no longer count (saved papers stay on the shelf, and "
            "later actions count again)"
        )
    return subject


def _done(change: ProfileChange) -> str:
    if change.action == "forget":
        return f"Forgot {forgotten_text(change.before, len(change.set_aside))}."
    [line] = change.after
    if change.action == "add":
        there = " was there already" if change.before else ""
        return f"Line {line.name}{there or ' is new'}: {HEADINGS[line.facet].lower()} “{line.text}”."
    [before] = change.before
    if before.own:
        return f"Line {line.name} now says “{line.text}”; it said “{before.text}”."
    return (
        f"“{before.text}” ({before.name}) is now line {line.name}, your own: “{line.text}”. It is based on "
        f"{papers_text(len(line.papers))}; spar derives no other line from them."
    )
