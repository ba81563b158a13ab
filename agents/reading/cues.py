"""Cues: the words that introduce conditions, orders and references in a sentence, one row per meaning."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple


class Cue(NamedTuple):
    """A phrase and what it introduces or means. After a `firm` cue a name need not be in the library."""

    words: tuple[str, ...]
    kind: str
    value: Any = None
    firm: bool = True


_TABLE = """
author: by, authored by, co-authored by, coauthored by, author, authors, whose author is, first author
author weak: from, of, with
venue: published in, appeared in, appearing in, journal, presented at, venue, published at, at the conference, in the
  proceedings of, in a journal called
venue weak: in, at, from, of, for
tag: tagged, tagged as, tagged with, under the tag, labelled, labeled, i tagged, having the tag, carrying the tag, carry
  the tag, the tags, tag, labelled as, labeled as, i tagged with, i tagged as, i labelled
subject: about, on, regarding, concerning, dealing with, deal with, deals with, related to, relating to, mentioning,
  mention, mentions, discussing, discuss, talk about, talking about, talks about, studying, that study, covering, that
  cover, around, with the word, with the words, containing, contain, to do with, in the area of, in the field of, on the
  topic of, on the subject of, concerned with, devoted to, treat, with keyword, with the keyword, topic, investigating,
  examining, looking at, that look at, describing
subject weak: using, for, with, against, in, of, to
title: with the title, titled, entitled, whose title contains, whose titles contain, whose title has, title contains,
  with title, title has, in whose title
like: like, similar to, resembling, resemble, close to, near to, along the lines of, comparable to, much like, akin to
note: my notes say, where my note, whose note says, i noted that, my note mentions, whose note mentions, notes mention,
  with a note saying, with a note that says, where i noted, i noted, with the note, note says, i wrote a note about,
  with a note on, has the note, note about, notes about, note that, has a note saying
saved_on: saved, added, imported, i saved, i added, put on my shelf, i put on my shelf, bookmarked, saved on, i
  imported, did i put on the shelf
read_on: i read, i finished, marked as read, marked read, already read, i already read, i have already read, have read,
  read already, i finished reading
pronoun: he wrote, she wrote, they wrote, he published, she published, they published, did he write, did she write, did
  they write, did he publish, did she publish, did they publish, has he written, has she written, have they written, by
  her, by him, by them, by the same author, by the same authors, by this author, by that author, her papers, his papers,
  by the same people, from her, from him, of hers, of his, from the same author, by the same person, by the author
others: else, other, others, another, additional, different
these: the rest, the remaining ones, these, those, them, they, the list, this list, the results, these papers, those
  papers, all of them, of these, of them, of those, among them, among these, among those, from these, from those, from
  them, the above, both, both of them, all these, all those, these ones, those ones, all of these, all of those, the
  list above, the results above, the papers, in the list, in this list, out of these, out of those, each of them, each
  of these, every one of them, these two, those two, these three, those three, of the list, the two, the three, the lot
it: it, this one, that one, this paper, that paper, this article, that article, this study, that study, this work, that
  work, the last paper, this preprint, the same paper, its, that thing
whole: what i have, what we have, in my library, in the library, my library, the library, my whole library, the whole
  library, my entire library, everything, all papers, all my papers, all the papers, in my database, in my collection
order citations: is cited more often, is cited more, has more citations, have more citations, most cited, by citations,
  by citation count, by number of citations, most citations, highest cited, most-cited, highly cited, cited most, cited
  the most, cited most often, most often cited, most influential, most popular, most frequently cited, by the number of
  citations, by the number of their citations, by their citations, in terms of citations, most of citations, greatest
  number of citations, received the most citations, highest number of citations, by number of cites, by impact, by times
  cited, most highly cited, most important
order fewest_citations: least cited, fewest citations, least-cited, cited least, cited the least, lowest cited
order fewest first: fewest first, lowest first, least first
order newest: is newer, is more recent, came later, newest, by date of publication, by their date, by their dates,
  latest, most recent, most recently published, by date, by year, by publication date, by recency, recent first,
  youngest, in reverse chronological order
order oldest: is older, is earlier, oldest, earliest, chronologically, in chronological order, by age
order title: alphabetically, into alphabetical order, alphabetical, by their title, by title, by name, in alphabetical
  order, a to z, by their titles
order last_saved: last saved, most recently saved, recently saved, recently added, last added, new in my library, new on
  my shelf, new in the library, recently imported, by date saved, most recently added, newest additions, newest
  addition, most recent addition, latest addition, latest additions, latest saved, saved last, i saved last, added last,
  i added last, by when i saved, by when i added, by date added, by date of saving, by the date i saved them, saved most
  recently, add most recently, save most recently, added most recently, by when i saved them, in the order i saved them
order first_saved: first saved, saved first, i saved first, earliest saved, oldest saved
order preference: suits me, suit me, fits me, fit me, by relevance to me, by my taste, i would like most, by how well
  they fit me, best for me, by preference, fits me best, suits me best, suit me best, fit me best, best one for me, is
  for me the best, would like best, most interesting to me, most relevant to me, by my interests, i would like best
recent: recent, recently published, newer, recent ones
state saved=true: on my shelf, on the shelf, on shelf, in my shelf, from my shelf, from the shelf, my shelf, is saved,
  are saved, on my bookshelf, my saved, in my saved papers
state read=false: unread, not read, i have not read, not yet read, still to read, left to read, yet to read, i still
  have to read, i still need to read, i did not read, haven't i read, have i not read, i have yet to read, i have not
  finished, not marked as read, i never read, never read
state read=true: read, finished
state rating=1: liked, i liked, i like, rated up, rated well, thumbs up, favorites, favorite, i rated well, upvoted, i
  gave a thumbs up, starred, i rated up, rated highly, i loved, i enjoyed, i rated highly, i rated good, rated good,
  rated positively, i rated positively
state rating=-1: disliked, i disliked, i do not like, i did not like, rated down, rated badly, thumbs down, downvoted, i
  rated down, i rated badly, i gave a thumbs down, i hated, i rated negatively, rated negatively, did i not like, i
  marked as disliked
state rating=0: unrated, not rated, without a rating, i have not rated, without rating
state noted=true: i have attached a note, carry a note, carries a note, with a note, with notes, with my notes, have
  notes, have a note, has a note, noted, annotated, i annotated, i wrote notes on, i took notes on, i have notes on, i
  wrote a note on, with annotations, with a note of mine, i have written notes on, i wrote notes about, i took notes
  about, with any notes, have i noted, i made notes on, i commented on, with comments
state noted=false: without notes, without a note, no notes, not noted, no note, without any notes, without my notes, i
  have no notes on
state open_access=true: open access, open-access, freely, be read freely, freely in open access, free to read, with a
  free pdf, with pdf, with a pdf, have a pdf, has a pdf, free, with pdfs, with free pdf, i can read for free, have a
  free pdf, with free pdfs, open
state open_access=false: without a pdf, without pdf, no pdf, not open access, behind a paywall, paywalled, closed
  access, not free, lack a pdf
state retracted=true: retracted, withdrawn
state has_abstract=false: without abstract, without an abstract, no abstract, lacking an abstract, lack an abstract,
  missing an abstract, without abstracts, missing abstracts
state has_abstract=true: with an abstract, with abstracts, with abstract, have an abstract
state max_citations=0: never cited, uncited, not cited, not been cited, without citations, no citations, never been
  cited, zero citations
state max_authors=1: single author, single-author, one author, single-authored, sole author, alone, by himself, by
  herself, by themselves, solo
state types=review: reviews, review, review articles, review article, review papers, surveys, survey papers, survey,
  review paper, survey paper, systematic reviews, systematic review, literature reviews, meta-analyses
state types=preprint: preprints, preprint, not yet published, unpublished
state types=thesis: theses, thesis, dissertations, dissertation, phd theses, phd thesis, doctoral theses
state types=book: books, book, textbooks, monographs
state types=conference-paper: conference papers, conference paper, conference articles, proceedings papers
state types=report: reports, report, technical reports
state types=chapter: chapters, book chapters, chapter
state types=article: journal articles, journal article, journal papers, journal paper
unheld: what language, which language, funded, funding, funder, funders, sponsored, grant, grants, paid for, impact
  factor, impact factors, peer reviewed, peer-reviewed, peer reviewers, reviewers, affiliation, affiliations,
  university, country, countries, institution, institutions, email, email address, h-index, sample size, publisher, page
  count, how long is, conflict of interest, conflicts of interest, license, licence, acceptance rate, downloads,
  downloaded
filler: the one, in total, so far, in any way, by any chance, with regard to, sorted, ranked, in order of, ordered, in
  my collection of papers, at the moment, right now, anywhere, are left, are left over, remain, limited to, restricted
  to, beginning with, starting with, such, whatever, carry, carries
"""
"""One row a meaning: its kind and value, and the phrases. A `weak` row introduces only names that the library has."""


@lru_cache(maxsize=1)
def cues_by_word() -> Mapping[str, Sequence[Cue]]:
    """Return the cues by their first word, longest first."""
    by_first: dict[str, list[Cue]] = {}
    for row in _TABLE.strip().replace("\n  ", " ").splitlines():
        name, _, phrases = row.partition(": ")
        kind, _, value = name.partition(" ")
        for words in dict.fromkeys(
            form for phrase in phrases.split(", ") for form in _asked_too(tuple(phrase.split()))
        ):
            by_first.setdefault(words[0], []).append(Cue(words, kind, _value(value), value != "weak"))
    return {word: sorted(cues, key=lambda cue: -len(cue.words)) for word, cues in by_first.items()}


@lru_cache(maxsize=1)
def cues_by_words() -> Mapping[tuple[str, str], Sequence[Cue]]:
    """Return the cues of several words by the first two, longest first."""
    by_two: dict[tuple[str, str], list[Cue]] = {}
    for cues in cues_by_word().values():
        for cue in cues:
            if len(cue.words) > 1:
                by_two.setdefault((cue.words[0], cue.words[1]), []).append(cue)
    return by_two


def _value(text: str) -> Any:
    """Return the value of a row: an order, or a condition and its value."""
    name, is_state, value = text.partition("=")
    values = {"true": True, "false": False}
    return (name, values.get(value, int(value) if value.lstrip("-").isdigit() else value)) if is_state else text


def _asked_too(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield a phrase and, of what a person did, "i tagged as", also its perfect and the questions for it."""
    yield words
    _, past, *others = (*words, "", "")
    verb = _VERBS.get(past) or re.sub(r"(.)\1ed$|(?<=[^aeiou][aeiou][^aeiouy])(e)d$|ed$", r"\1\2", past)
    if words[0] == "i" and (verb != past or past in _VERBS):
        others = others[:-2]
        yield from (("i", "have", past, *others), ("have", "i", past, *others), ("did", "i", verb, *others))


def gerund(verb: str) -> str:
    """Return the -ing form of a verb, such as "skipping"."""
    stem = verb.removesuffix("e")
    doubles = stem == verb and verb[-2] in "aiou" and verb[-3] not in "aeiou"
    return f"{stem}{stem[-1] * doubles}ing"


def cue_words() -> frozenset[str]:
    """Return all words of cues."""
    return frozenset(word for cues in cues_by_word().values() for cue in cues for word in cue.words)


BOUNDS: Mapping[tuple[str, ...], tuple[bool, bool, int]] = {
    tuple(phrase.split()): bound
    for phrases, bound in (
        ("at least|a minimum of|minimum of|no less than|no fewer than|not less than|>=|≥", (True, False, 0)),
        ("more than|over|above|greater than|exceeding|>", (True, False, 1)),
        ("at most|no more than|up to|<=|≤", (False, True, 0)),
        ("less than|fewer than|under|below|<", (False, True, -1)),
        ("exactly", (True, True, 0)),
    )
    for phrase in phrases.split("|")
}
"""Words of comparison: whether they set a lower bound, an upper bound, and the number to add to the bound."""
INTERJECTIONS = tuple("oops sorry oh ah um hm hmm".split())
JOINING = frozenset({"and", "or", ",", "&", "nor", "as"})
_VERBS = dict(
    pair.split("=") for pair in "added=add read=read put=put took=take made=make gave=give wrote=write".split()
)
LEAVING = tuple("except exclude skip ignore omit lack drop".split())
"""Verbs that leave papers out."""
NEGATIONS = frozenset("not without no minus never neither nor nothing none lacks".split()).union(
    LEAVING[:-1], map(gerund, LEAVING)
)
LEAVING_OUT = tuple(
    tuple(phrase.split())
    for phrase in "leave out|leaving out|leaving aside|other than|apart from|rather than|not including|aside"
    " from|as opposed to|instead of".split("|")
)
NOUNS = frozenset(
    "papers paper articles article works work studies study publications publication ones one items entries titles"
    " results hits documents literature research stuff things everything anything something all readings texts"
    " material"
    " library collection shelf records record lib database bookshelf".split()
)
SINGULARS = frozenset("paper article study work publication one record".split())
FILLERS = frozenset(
    "a an the of and or to is are was were be been being do does did have has had that which what there here any some"
    " all i me my mine we our us you your please so then now also only just with for in on at from by into as but if"
    " hold holds would could can should will shall may might it its this these those them they their show list give"
    " find get display see want need like tell know let look looking search available published appeared written out"
    " come came got one ones each every both either really actually maybe perhaps yes okay ok well hey hi hello thanks"
    " thank spar again too still already yet ever kindly quickly exactly again very more own whole together up over"
    " about around sort bring fetch pull contain contains called named name among within between select choose pick"
    " filter narrow am 's '"
    " interested wondering wonder thing kind sort type types full complete ".split()
)
