"""Cues: the words that introduce conditions, orders and references in a sentence, one row per meaning."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple


class Cue(NamedTuple):
    """A phrase and what it introduces or means. After a `firm` cue a name need not be in the library."""

    words: tuple[str, ...]
    kind: str
    value: Any = None
    firm: bool = True


_TABLE = """
author: [authored|co-authored|coauthored] by, author, authors, whose author is, first author
author weak: from, of, with
venue: published|appeared|appearing in, journal, presented|published at, venue, at the conference, in the proceedings
  of, in a journal called
venues: [all|the] venue|venues|journal|journals|conference|conferences whose|with|that [a|the] [name|names|title|titles]
  start|starts|starting|begin|begins|beginning with, venue|journal [name|names]
  start|starts|starting|begin|begins|beginning with
venue weak: in, at, from, of, for, on
tag: [i|i_have] filed|put under, [i] tagged [as|with], [i] labelled [as], labeled [as], under|having|carrying|carry
  the tag, tag, [both] the tags, both tags, [where] [the] tag|label is, whose tag is
tag weak: under, in, for
subject: about, on, regarding, concerning, dealing|deal|deals with, related|relating to, mentioning, mention,
  mentions, discussing, discuss, talk|talking|talks about, that study|cover|look_at, studying, covering, around, with
  the word|words, containing, contain, to do with, in the area|field of, on the topic|subject of, concerned with,
  devoted to, treat|treats|treating, with|have|has|having [the] keyword|keywords, based on, topic, investigating,
  examining, looking
  at, describing
subject weak: using, for, with, against, in, of, to, from
title: with [the] title, titled, entitled, whose title|titles contain|contains|has, title contains|has, in whose title
like: [much] like, similar to, resembling, resemble, close|near|comparable|akin to, along the lines of
note: my notes say, [where] i noted|wrote that, i noted, where my
  note, whose note, my|whose note mentions, whose note says, note says, notes mention, with|has a note saying, with a
  note that_says|on, with|has the note, i wrote a note about, note|notes about, note that
saved_on: [i] saved|added|imported [on], [i|did_i] put on my|the shelf, bookmarked, came|come|got|went|landed
  [newly] in|into|onto|on my|the library|shelf|collection
read_on: read, i [already|have_already] read, i finished [reading], i got|went|worked through, did i get|go|work
  through, marked [as] read, already|have read, read already
pronoun: she|he [has] [wrote|written|published], they wrote|published, did she|he|they write|publish, has she|he
  written, have they written, by|from
  her|him, by them, by|from the same author|authors|person|people, by the|this|that author, her|his papers, of
  hers|his|him|her|them, hers, theirs, by|from|with [her|his|their|the|its] co-author|co-authors|coauthor|coauthors
others: else, other, others, another, additional, different
these: the rest|list|results|papers|two|three|lot, the remaining ones, [of|among|from|out_of] these|those
  [papers|ones], [of|among|from] them, they, this list, all of them|these|those, the above, both [of_them], all
  these|those, the list|results above, [of|in] the|this list, each|one of them|these, every one of them, these|those
  two|three
it: it, its, this|that one|paper|article|study|work, this preprint, the last|same paper, that thing
whole: what i|we have, [in] the|my [whole|entire] library, everything, all [my|the] papers, every
  paper|article, in my database|collection, i found|have_found|came_across|ran_into
order citations: is|are|gets|get cited more [often], more [often|frequently|highly] cited, [by] how often
  they|these are cited, has|have more citations,
  most [highly|often|frequently] cited, by [the] citation_count, by [the] number of [their] citations|cites, by
  [their] citations, by impact|times_cited, most [of] citations, highest cited, most-cited, highly cited, cited [the]
  most [often], most influential|popular|important, in terms of citations, greatest|highest number of citations,
  received|attracted|got the most|greatest|highest|largest [number_of] citations, has|have the
  greatest|highest|largest number of citations
order fewest_citations: least|lowest cited, fewest citations, least-cited, cited [the] least
order fewest first: fewest|lowest|least first
order newest: most new, least old,
  [from] new|newer|newest|latest|recent to old|older|oldest|earliest, is newer, newer|later
  one|paper|study|of, is more recent, came later, newest, latest, most recent, most recently [published],
  came|come|appeared|published|out most recently|last, by recency, recent first, youngest, in reverse chronological
  order
order date: by [their|publication] date|dates|year, by date|year of publication
order oldest: most old,
  [from] old|older|oldest|earliest to new|newer|newest|latest|recent, is older|earlier, older|earlier
  one|paper|study|of, oldest, earliest, chronologically, in chronological
  order, by age
order title: alphabetically, [in|into] alphabetical order [of|by] [their] [title|titles], alphabetical, by [their]
  title|titles|name, a to z
order author: [alphabetically|in_alphabetical_order|alphabetical_order] by|of [the|their] [first]
  author|authors|author_names|author_name
order venue: [alphabetically] by [their] venue|venues|journal|journals
order rating: [by] [my] best rated [first], by [my] rating|ratings
order read: [the] last|most_recently read [first], by when i read [them], by [the] date read
order last_saved: last|recently saved, most recently saved|added, recently added|imported, last added, new in|on
  my|the library|shelf, by [the] date saved|added, by date of saving, newest|latest|most_recent addition|additions,
  latest saved, saved|added last, i saved|added last, by when i saved|added [them], by the date i saved them,
  saved|save|added|add most recently, in the order i saved them
order first_saved: first|earliest|oldest saved, [i] saved first
order preference: suits|suit|fits|fit me [best], by relevance to me, by my taste|interests, [i] would like most|best,
  by how well they fit me, best [one] for me, by preference, is for me the best, most interesting|relevant to me
recent: recent [ones], recently published, newer
state saved=true: on [my|the] shelf, in my shelf, from my|the shelf, my shelf, is|are saved, on my bookshelf, my
  saved, in my saved papers
state saved=false: unsaved, [i] never|not saved [yet], not|never made it onto|on|into|to my|the shelf|library,
  i did|have not
  save|saved [yet]
state read=false: [i] UNDONE finish|finishing|read, unread, to-read,
  not [yet|marked_as] read, still|left|yet to [be] read, [still] got to read, to be
  read, i still have|need to read, i have yet to read, i did|have not [yet] read, haven't i read, have i not read, i
  have not finished, [i] never read, not|never [i] got|gotten round|around to [reading], not|never [i] looked
  at
state read=true: read, finished, looked at, having read [them|it]
state rating=1: [i] liked, [i|i_have|have_i] marked as liked|good|a_favorite, i like|loved|enjoyed, [i] rated
  up|well|good|positively|highly, thumbs up, i gave [a] thumbs up, favorites, favorite, upvoted, starred
state rating=-1: [i] disliked|dislike, i do|did not like|liked, [i] rated down|badly|negatively, thumbs down, i
  gave [a] thumbs
  down,
  downvoted, i
  hated, did i not like, i marked as disliked
state rating=0: unrated, not|never [been] rated, LACK rating|ratings, i have not rated, not|never given|gave
  [a|any] rating, [i] UNDONE rate|rating
state without_rating=0: rated, with|have|has|given|gave a|any|my rating
state has_doi=true: with|has|have|having [a|the] doi|dois
state has_doi=false: LACK doi|dois
state noted=true: [i] annotated, noted, i have attached a note, carry|carries|with|have|has a note, with [my|any]
  notes, have notes, with annotations|comments, with a note of mine, i have_written|have [a] note|notes
  on|about, i WROTE [a|any|my] note|notes|comment|comments|annotation|annotations|remark|remarks
  [on|about|for|to], have i noted, i commented on
state noted=false: LACK note|notes, not noted, i have no notes on, [i] UNDONE annotate|annotating
state open_access=true: open access|papers|articles|ones, is|are open [access], open-access, freely
  [in_open_access|available|accessible|readable],
  be read freely, free [to_read], [with|have|has] [a] free pdf|pdfs, i can read for free
state has_pdf=true: [as|in] [a] pdf, with|have|has|having [a|the|its|their] pdf, with [their] pdfs, i have|got [a|the]
  pdf, downloaded
state has_pdf=false: LACK pdf|pdfs
state open_access=false: no|without [a] free pdf, not open access, not free, behind a paywall, paywalled, closed
  access
state tagged=false: LACK tag|tags, untagged, not tagged [yet], i have not|never tagged, [i] UNDONE tag|tagging
state tagged=true: tagged, with|have|has|having [a|any] tag|tags
state retracted=true: retracted, withdrawn
state has_abstract=false: LACK abstract|abstracts
state has_abstract=true: with [an] abstract, with abstracts, have an abstract
state max_citations=0: never [been] cited, not [been] cited, uncited, without|no|zero citations, nobody|no_one|none
  has|have [ever] cited [yet]
state max_authors=1: on her|his|their own,
  [by] one person [alone], single|one|sole author, single-author, single-authored, alone, solo, by
  himself|herself|themselves
state types=review: [systematic|literature] reviews|review, review|survey papers|paper, surveys, survey, review
  articles|article, meta-analyses|meta-analysis
state types=preprint: preprints, preprint, not yet published, unpublished
state types=thesis: [phd|doctoral] thesis|theses|dissertation|dissertations
state types=book: books, book, textbooks, monographs
state types=conference-paper: conference papers|paper|articles, proceedings papers, given|presented|held at a|any|some
  conference|conferences, at conferences
state types=dataset: datasets|dataset, data sets|set
state types=report: [technical] reports, report
state types=chapter: [book] chapters, chapter
state types=article: journal articles|article|papers|paper
stars liked: rated|gave|given 4|5|four|five [stars] [or_better|or_higher|or_more]
stars disliked: rated|gave|given 1|2|one|two [stars|star] [or_worse|or_lower|or_less]
unheld: what|which language, funded, funding, funder, funders, sponsored, grant, grants, paid for, impact
  factor|factors, peer reviewed|reviewers, peer-reviewed, reviewers, affiliation, affiliations, university, country,
  countries, institution, institutions, email|e-mail [address|addresses],
  h-index, sample size, by women|men, female|male
  authors|author|researchers, by authors|researchers|people|scientists from, gender, nationality, i_am|am_i|am
  [currently|still|just|now] reading, currently reading,
  half read, started reading, begun to read, conflict|conflicts of interest, license, licence, acceptance rate,
  downloads, downloaded
filler: saved|read|tagged|liked|rated or not|unread|unsaved|untagged|unrated, is|was it that,
  turned|showed|came up in [a|my|the] search|searches|results, from now on,
  get|got|getting around|round to, in a|one|two|three|some|few
  sentence|sentences|line|lines|word|words|paragraph|paragraphs|points, in a few|couple_of
  sentences|lines|words|paragraphs|points, in short|brief, highest|most|largest|biggest [on|at] [the] top, inclusive,
  the one, in total, highest|most|largest|biggest [number] first, so far, in any way, by any chance, with regard to,
  sorted,
  ranked, in order of, ordered, in my collection of papers, at the moment, right now, anywhere, are left [over],
  remain, limited|restricted to, beginning|starting with, such, whatever, carry, carries
"""
"""One row a meaning: its kind and value, and the phrases, written like forms of acts: `a|b` are alternatives, `a_b` is
two words, `[a]` is optional, LACK is `_LACK`, UNDONE is `_UNDONE`. A `weak` row introduces only names that the library
has."""
_LACK = "no|without|neither|nor|lack|lacks|lacking|missing [a|an|any|the|my|its]"
"""Words before something that papers do not have."""
_UNDONE = (
    "forgot_to|forget_to|forgotten_to|failed_to|neglected_to|never_got_to|never_got_round_to|never_got_around_to"
    "|not_got_round_to|not_gotten_around_to|not_got_to"
)
"""What the person did not come to do with papers."""
_WROTE = "wrote|took|made|put|left|added|attached|scribbled|jotted|jotted_down|scrawled"
"""What the person did with notes."""


@lru_cache(maxsize=1)
def cues_by_word() -> Mapping[str, Sequence[Cue]]:
    """Return the cues by their first word, longest first."""
    by_first: dict[str, list[Cue]] = {}
    for row in (
        _TABLE.strip()
        .replace("\n  ", " ")
        .replace("LACK", _LACK)
        .replace("WROTE", _WROTE)
        .replace("UNDONE", _UNDONE)
        .splitlines()
    ):
        name, _, phrases = row.partition(": ")
        kind, _, value = name.partition(" ")
        spelled = (spelling for phrase in phrases.split(", ") for spelling in spellings(phrase))
        meaning = state_of(value)
        for words in dict.fromkeys(spelled):
            for form in _asked_too(words):
                by_first.setdefault(form[0], []).append(Cue(form, kind, meaning, value != "weak"))
            if isinstance(meaning, tuple) and isinstance(meaning[1], bool):
                for form in _denied(words):
                    by_first.setdefault(form[0], []).append(Cue(form, kind, (meaning[0], not meaning[1])))
    return {word: sorted(cues, key=lambda cue: -len(cue.words)) for word, cues in by_first.items()}


def spellings(phrase: str) -> Iterator[tuple[str, ...]]:
    """Yield the phrases for which a notation such as `a|b` stands."""
    for words in product(*(word.strip("[]").split("|") + [""] * word.startswith("[") for word in phrase.split())):
        yield tuple(" ".join(words).replace("_", " ").split())


def state_of(text: str) -> Any:
    """Return the value of a row: an order, or a condition and its value, from text such as `read=false`."""
    name, is_state, value = text.partition("=")
    values = {"true": True, "false": False}
    return (name, values.get(value, int(value) if value.lstrip("-").isdigit() else value)) if is_state else text


def _asked_too(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield a phrase and, for an action of the person such as "i tagged as", its perfect tense and its question."""
    yield words
    for verb, perfect, others in _action(words):
        yield from (("i", "have", perfect, *others), ("have", "i", perfect, *others), ("did", "i", verb, *others))


def _denied(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the phrases that deny an action of the person: "i have not tagged"."""
    for verb, perfect, others in _action(words):
        for never in (("not",), ("never",), ("not", "yet")):
            yield from (("i", "have", *never, perfect, *others), ("have", "i", *never, perfect, *others))
            yield from (("i", "did", *never, verb, *others), ("did", "i", *never, verb, *others))
        yield ("i", "never", words[1], *others)


def _action(words: tuple[str, ...]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the base form and the participle of the verb in a phrase such as "i tagged as", and the words behind it."""
    subject, past, *others = (*words, "", "")
    if subject != "i":
        return
    verb = _VERBS.get(past) or re.sub(r"(.)\1ed$|(?<=[^aeiou][aeiou][^aeiouy])(e)d$|ed$", r"\1\2", past)
    if verb != past or past in _VERBS:
        yield verb, _PARTICIPLES.get(past, past), tuple(others[:-2])


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
INTERROGATIVES = frozenset(
    "what which who whose how why when where whether do does did can could should would will may might must is are was"
    " were have has had".split()
)
"""Words with which questions begin."""
ASKING = frozenset("what which who whom whose how why when where whether".split())
JOINING = frozenset({"and", "or", ",", "&", "nor", "as"})
_VERBS = dict(
    pair.split("=")
    for pair in "added=add read=read put=put took=take made=make gave=give wrote=write scribbled=scribble".split()
)
_PARTICIPLES = {"took": "taken", "gave": "given", "wrote": "written"}
"""Participles that differ from the past tense."""
COURTESIES = tuple(
    words
    for phrase in """
can|could|would|will you [please|kindly|maybe|perhaps|also|just]; i|we want|need|wish|like|love|have to;
i|we would|should|will|shall like|love|prefer to; i|we want|need|would_like|should_like|would_love you to; please;
kindly; pray; [it] turns_out [that];
do_me_a_favour|do_me_a_favor [and|,]; be so good|kind as to; be an_angel|a_dear and; help me [to|out|with];
let_us; like ,; go_ahead_and; would_you_mind; is_it_possible_to; is_it_possible; i_would_be_grateful_if_you_could;
it_would_be nice|great|good|helpful if_you_could|to; if_possible; if_you can|could|would|please|like|wish;
if_you_do_not_mind; if_you have a minute|moment|second|sec; i_was wondering if|whether you_could; i_am wondering;
do_you think|know [you_could|if_you_could]; would_it_be_possible_to;
may|might|can|could i [please|just] have|get|see; may|might|can|could we [please|just] have|get|see; can|could we;
may|can|could i; i|we think|guess|forget|believe|suppose|reckon|wonder|hope|recall|remember|mean|see;
i|we seem|try|am_trying|used|am_going|am_about to [recall|remember]; hey|hi|hello|dear spar; send me|us;
thanks|thank_you; quick question; quickly;
right|alright|ok|okay|well|so|now|hmm|hm|um|uh|ugh|oh|ah|oops|wow|lol|sorry|hey|hi|hello|yeah|yes|yep|no|nope|wait|listen|anyway|btw|by_the_way|actually|honestly|interesting|great|good|nice|cool|perfect|fine|lovely|excellent|and|then|also|but|finally|again|just|maybe|perhaps|after_that|afterwards;
for_my|for_the talk|paper|thesis|class|seminar|meeting; one more thing; another thing; out_of interest|curiosity;
i need; i am looking for; i|we would like; i_want; i|we require|desire; i_would_like_to know|see|have; do_you_know;
any idea; do_we know; on second thought|thoughts
""".replace("\n", " ").split(";")
    for words in spellings(phrase.strip())
)
"""Phrases before a request that say nothing of it."""
NEGATIONS = frozenset(
    "not without no minus never neither nor nothing none lacks except exclude skip ignore omit lack excepting excluding"
    " skipping ignoring omitting lacking dropping".split()
)
LEAVING_OUT = tuple(
    tuple(phrase.split())
    for phrase in "leave out|leaving out|leaving aside|nothing to do with|unrelated to|not related to|other than"
    "|apart from|rather than|not including|aside from|as opposed to|instead of|unlike|besides".split("|")
)
NOUNS = frozenset(
    "papers paper articles article piece pieces works work studies study publications publication ones one items"
    " item entries titles pile piles folder folders stack thing results hits documents literature research stuff things"
    " everything anything something all readings texts material library collection shelf records record lib database"
    " bookshelf".split()
)
SINGULARS = frozenset("paper article study work publication one record thing piece item".split())
FILLERS = frozenset(
    "a an the of and or to is are was were be been being do does did have has had that which what there here any"
    " some all i me my mine we our us you your please so then now also only just with for in on at from by into as"
    " but if hold holds would could can should will shall may might it its this these those them they their show"
    " list give find get display see want need like tell know let look looking search available published appeared"
    " written out come came got gets one ones each every both either really actually maybe perhaps yes okay ok well hey"
    " hi hello thanks thank spar again too still already yet ever kindly quickly exactly again very more own whole"
    " together up over about around sort bring fetch pull contain contains called named name among within"
    " select choose pick filter narrow am 's ' interested wondering wonder kind sort type types anyone"
    " anybody somebody someone whether exist exists mr mrs ms dr prof professor madam sir hmm hm um uh ugh lol oops"
    " wow hold holds obtained kindly simply merely honestly somehow anyway btw actually basically literally though"
    " however indeed certainly apparently obviously definitely probably supposedly recall seem seems guess suppose"
    " hope wish mean meant try trying need needs going gonna gotta further whatever exactly quite rather much"
    " currently altogether overall itself themselves whole anymore held contained included listed located remind"
    " versus vs cheers omg".split()
)
