"""Build a `Paper` from a source's values: clean texts, check values, and record the source of each field. Also the
authors whom a source found."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date as Date
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path

from connectors.errors import BadResponse
from connectors.identifiers import Identifier, closed, is_preprint_doi
from connectors.paper import (
    IMPRINT_PARTS,
    PAPER_TYPES,
    Author,
    Imprint,
    Indexed,
    KeywordOrigin,
    Paper,
    PaperType,
    Provenance,
    Version,
)
from connectors.person import Person
from connectors.records.clean import (
    ABSTRACT_CAP,
    NAME_CAP,
    TITLE_CAP,
    VENUE_CAP,
    clean_text,
    is_clean,
    styled_text,
    whole_text,
    with_exponents,
)
from connectors.records.web_address import web_address

KEYWORDS_CAP = 40
KEYWORD_CAP = 200
"""Maximum length of a keyword. Longer values are dropped, because a cut keyword is not the source's."""
_READ = 10 * KEYWORDS_CAP


def keywords_of(values: Iterable[object]) -> tuple[str, ...]:
    """Return `values` cleaned, in order, without duplicates that differ only in case and without non-keywords."""
    texts = (whole_text(text, KEYWORD_CAP) for text in islice(values, _READ))
    return distinct(text for text in texts if any(map(str.isalnum, text)))


def distinct(keywords: Iterable[str]) -> tuple[str, ...]:
    """Return the first `KEYWORDS_CAP` of `keywords`, without later ones that differ only in case."""
    first: dict[str, str] = {}
    for keyword in keywords:
        first.setdefault(keyword.casefold(), keyword)
    return tuple(islice(first.values(), KEYWORDS_CAP))


UNTITLED = "(untitled)"
"""The title of a record without one."""
AUTHORS_CAP = 5_000
REFERENCES_CAP = 10_000
COUNT_CAP = 100_000_000
"""More citations than any paper has: a larger number is an error of the source."""

FIELDS = (
    "title", "abstract", "authors", "date", "venue", "type", "citation_count", "references", "pdf", "url", "language",
    "described", *IMPRINT_PARTS,
)  # fmt: skip
_PREPRINT_VENUE = re.compile(
    r"\b(arxiv|biorxiv|medrxiv|chemrxiv|ssrn|research square|preprints?(\.org)?)\b", re.IGNORECASE
)
_NUMBER = re.compile(r"\s*-?[0-9]{1,6}\s*")
_ISO_DATE = re.compile(r"\s*(-?[0-9]{4})(?:-([0-9]{1,2}))?(?:-([0-9]{1,2}))?(?![0-9])")
_ORCID = re.compile(r"(\d{4}-\d{4}-\d{4}-\d{3}[\dX])$")


def build_paper(
    source: str,
    *,
    title: object,
    abstract: object = None,
    authors: Iterable[Author] = (),
    et_al: bool = False,
    date: str | None = None,
    venue: object = None,
    type: str | None = None,
    identifiers: Iterable[Identifier | None] = (),
    citation_count: object = None,
    references: Iterable[Identifier | None] = (),
    pdf: object = None,
    url: object = None,
    retracted: bool = False,
    language: object = None,
    imprint: Imprint | None = None,
    styled_title: object = None,
    described: object = None,
    keywords: Iterable[object] = (),
    preprint: bool | None = None,
    retraction_notice: Identifier | None = None,
    concern: bool = False,
    indexed: str | None = None,
) -> Paper:
    """Return a clean `Paper` from the values of `source`; unusable values are dropped, never guessed.

    `date` and `indexed` come from `partial_date`, authors from `author` or `author_from_name`, identifiers from
    `connectors.identifiers`, the imprint from `connectors.records.publication`; a preprint keeps only its arXiv
    category. Set `preprint` if the source knows; otherwise DOI and venue decide. `styled_title` overrides the styles in
    `title`. A record without a title is named `UNTITLED`.
    """
    names = closed(name for name in identifiers if name)
    clean_title = clean_text(title, TITLE_CAP)
    clean_venue = clean_text(venue, VENUE_CAP)
    if is_arxiv(clean_venue):
        clean_venue = "arXiv"  # sources have different names for it
    kind = _type_of(type, clean_venue, names) if preprint is None else _known_type("preprint" if preprint else type)
    is_preprint = kind == "preprint"
    address = web_address(url)
    version = Version(clean_venue, date, _doi_of(names, is_preprint if preprint is None else None), address)
    print_details = imprint or Imprint()
    if is_preprint:
        print_details = Imprint(arxiv_class=print_details.arxiv_class)
    people = tuple(islice(authors, AUTHORS_CAP + 1))
    values: dict[str, object] = {
        "title": clean_title,
        "abstract": abstract_in(abstract),
        "authors": people[:AUTHORS_CAP],
        "date": date,
        "venue": clean_venue,
        "type": kind,
        "citation_count": count(citation_count),
        "references": tuple(dict.fromkeys(filter(None, islice(references, REFERENCES_CAP)))),
        "pdf": web_address(pdf),
        "url": address,
        "language": clean_text(language, 12).lower() or None,
        "described": clean_text(described, ABSTRACT_CAP),
    }
    told_keywords = keywords_of(keywords) if keywords else ()
    fields = [name for name, value in values.items() if value not in (None, "", ())]
    fields += [part for part in IMPRINT_PARTS if getattr(print_details, part)]
    return Paper(
        **{**values, "title": values["title"] or UNTITLED},  # type: ignore[arg-type]  # one dict, many types
        identifiers=names,
        retracted=retracted is True,
        retraction_notice=retraction_notice.value if retraction_notice and retracted is True else None,
        concern=concern,
        preprint=version if is_preprint else _known_preprint(names),
        published=None if is_preprint else version,
        imprint=print_details,
        provenance=_origins(source, is_preprint, *fields),
        et_al=(et_al and bool(people)) or len(people) > AUTHORS_CAP,
        styled_title=styled_text(styled_title or title, clean_title),
        keywords=told_keywords,
        keyword_origins=tuple(KeywordOrigin(source, index) for index in range(len(told_keywords))),
        indexed=(Indexed(source, indexed),) if indexed else (),
    )


_NO_ABSTRACT = re.compile(
    r"\W*(?:(?:there is |this \w+ has )?no (?:\w+ )?abstract(?: text)?(?: (?:is|was|has been))?(?: currently)?"
    r"(?: (?:available|provided|supplied|included|found|given|submitted))?(?: yet)?(?: (?:for|in|with) .{1,60})?"
    r"|(?:(?:an|the) )?abstract (?:is |was )?(?:not (?:available|provided|supplied|included)|unavailable)"
    r"(?: (?:for|in) .{1,60})?)\W*",
    re.IGNORECASE,
)


_HEADINGS = (
    "aims?|background|conclusions?|context|design|discussion|findings|importance|interpretation|interventions?"
    "|introduction|limitations|materials and methods|measurements|methods|objectives?|participants|patients|purpose"
    "|results|setting|significance"
)
_ATTACHED_HEADING = re.compile(rf"(?:(?<=[.!?)\]%])|\A)((?i:{_HEADINGS}))(?=[A-Z][a-z]|[A-Z]\s)")
"""A heading of a structured abstract that lost the blanks around it, such as `… rate.ResultsThe …`."""


def abstract_in(raw: object) -> str:
    """Return an abstract cleaned; "" for what databases write in its place, such as `[No abstract available]`."""
    text = clean_text(with_exponents(raw) if isinstance(raw, str) else raw, ABSTRACT_CAP)
    text = _ATTACHED_HEADING.sub(r" \1 ", text).strip()
    return "" if text and len(text) < 150 and _NO_ABSTRACT.fullmatch(text) else text


@lru_cache(maxsize=1_000)  # most records of a source have the same fields
def _origins(source: str, preprint: bool, *fields: str) -> tuple[Provenance, ...]:
    return tuple(Provenance(name, source, preprint) for name in sorted(fields))


def author(family: object, given: object = None, orcid: object = None, suffix: object = None) -> Author | None:
    """Return an author from name parts; None without a name."""
    last, first = clean_text(family, NAME_CAP), clean_text(given, NAME_CAP)
    return _author(last, first, orcid, clean_text(suffix, NAME_CAP) if suffix else "")


def _author(last: str, first: str, orcid: object, generation: str) -> Author | None:
    """Return an author from clean name parts."""
    if not last:
        last, first = first, ""
    first, inside = without_orcid(first)
    orcid = orcid or inside
    match = _ORCID.search(orcid.strip().upper()) if isinstance(orcid, str) else None
    return Author(last, first, match[1] if match else None, generation) if last else None


_ORCID_INSIDE = re.compile(
    r"(?:ORCID(?: ?iD)?:? ?)?(?:https?://orcid\.org/)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])", re.IGNORECASE
)


def without_orcid(name: str) -> tuple[str, str]:
    """Return a name without the ORCID that some programs write behind it, and the ORCID; "" for none."""
    if not (match := _ORCID_INSIDE.search(name) if "-0" in name else None):
        return name, ""
    return (name[: match.start()].rstrip(" ,;([") + name[match.end() :].lstrip(")]")).strip(), match[1]


PARTICLES = frozenset(
    "af al ap ben bin da das de del della den der des di do dos du el ibn la le los".split()
    + "san st ten ter van von vom zu zum zur 't ’t".split()
)
GENERATION = r"(?i:(?:jr|sr|jnr|snr)\.?|2nd|3rd|[4-9]th|père|fils|(?-i:III?|IV))"
_GENERATION = re.compile(GENERATION)
GROUP_WORDS = frozenset(
    "academy administration agency alliance association authority board bureau center centre collaboration commission"
    " committee company consortium corporation council department federation foundation group inc. initiative institute"
    " institution investigators laboratory ltd. ministry network office organisation organization panel project service"
    " society survey team university".split()
)
_LINKING_WORDS = frozenset("and for of the &".split())
"""Words that no name of a person has."""
_INITIAL = re.compile(r"[^\W\d_]\.?")


def is_group(words: Sequence[str]) -> bool:
    """Whether a name that its source does not divide is that of a group: `The LHCb Collaboration`, `Centers for
    Disease Control`. Initials and one word are a person: `A. B. Board`."""
    if len(words) < 2 or not _LINKING_WORDS.isdisjoint(map(str.lower, words)):
        return len(words) > 1
    *given, last = words
    return last.lower() in GROUP_WORDS and not all(map(_INITIAL.fullmatch, given))


def is_generation(text: str) -> bool:
    """Whether `text` is a generational suffix such as `Jr.` or `III`; a single `V` or `I` is an initial."""
    return _GENERATION.fullmatch(text) is not None


def author_from_name(name: object, orcid: object = None) -> Author | None:
    """Return an author from `Family, Given`, `Family, Given, Jr.`, `Given van der Family Jr.` or `…, Jr.`.

    Lowercase particles belong to the family name. The name of a group stays whole, and one without spaces, in a script
    that puts the family name first.
    """
    text = clean_text(name, NAME_CAP)
    text, inside = without_orcid(text)
    orcid = orcid or inside
    suffix = ""
    if "," in text:
        family, *rest = (part.strip() for part in text.split(","))
        if len(rest) > 2:
            return author(text, "", orcid)  # probably several people, so it stays undivided
        if len(rest) == 2 and is_generation(rest[0]) and not is_generation(rest[1]):
            rest.reverse()
        initials = rest[0].isupper() and " " not in family  # the family name alone has no generation
        if len(rest) == 2 or initials or not is_generation(rest[0]):
            return author(family, rest[0], orcid, *rest[1:])
        text, suffix = family, rest[0]
    make_author = _author if is_clean(text) else author
    words = text.split()
    suffix = suffix or (words.pop() if len(words) > 2 and is_generation(words[-1]) else "")
    if len(words) < 2 or (not suffix and is_group(words)):
        return make_author(text, "", orcid, suffix)
    start = len(words) - 1
    while start > 1 and words[start - 1] in PARTICLES:
        start -= 1
    return make_author(" ".join(words[start:]), " ".join(words[:start]), orcid, suffix)


FIRST_PRINTED = 1500
"""Earliest year accepted from a source; earlier ones are errors. A person's bibliography may have earlier years."""
ANY_YEAR = -9999


def partial_date(
    year: object, month: object = None, day: object = None, *, earliest: int = FIRST_PRINTED
) -> str | None:
    """Return `2020`, `2020-05` or `2020-05-17`, as precise as the parts allow; None without a plausible year.

    A year before Christ stands alone, as `-0380`.
    """
    parts = [_number(year), _number(month), _number(day)]
    if parts[0] is None or not earliest <= parts[0] <= Date.today().year + 5 or not parts[0]:
        return None
    if parts[0] < 0:
        return f"-{-parts[0]:04}"
    if parts[1] is None or not 1 <= parts[1] <= 12:
        return f"{parts[0]:04}"
    try:
        return Date(parts[0], parts[1], parts[2] or 0).isoformat()
    except ValueError:
        return f"{parts[0]:04}-{parts[1]:02}"


def iso_date(text: object, *, earliest: int = FIRST_PRINTED) -> str | None:
    """Return a partial date from ISO text such as `2020-05-17`, `2020-05`, `2020` or a timestamp."""
    match = _ISO_DATE.match(text) if isinstance(text, str) else None
    return partial_date(*match.groups(), earliest=earliest) if match else None


MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_LETTERS = re.compile(r"[^\W\d_]+\.?")


@lru_cache(maxsize=1_000)
def month_of(word: str) -> int:
    """Return the number of a month (1 to 12) or season (21 to 24) by its name in any language of CSL, by the first
    three letters in English, or by the beginning of a name before a full stop; 0 for other words."""
    name = word.lower().rstrip(".")
    if name in (names := _months_by_name()):
        return names[name]
    if name[:3] in MONTHS and name.isascii():
        return MONTHS.index(name[:3]) + 1
    begun = {number for full, number in names.items() if full.startswith(name)} if word.endswith(".") and name else ()
    return next(iter(begun)) if len(begun) == 1 else 0


@cache
def _months_by_name() -> dict[str, int]:
    """The names of months and seasons, from CSL's locales."""
    rows = map(str.split, Path(__file__).with_name("months.txt").read_text("utf-8").splitlines())
    return {name: int(number) for number, *names in rows for name in names}


def month_named(text: str) -> int | None:
    """Return the first month that `text` names."""
    return next((month for word in _LETTERS.findall(text) if 1 <= (month := month_of(word)) <= 12), None)


def told_date(text: str, year: str = "") -> str | None:
    """Parse a date as programs and people write it: `2020/05/17/`, `2020 May 17`, `17 May 2020`, or `MAY-JUN` and `OCT
    15` with a separate `year`. A range gives its start."""
    numbers = re.match(r"\s*([0-9]{4})[-/.]([0-9]{1,2})(?:[-/.]([0-9]{1,2}))?(?![0-9])", text)
    if dotted := re.fullmatch(r"\s*([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4})\s*", text):
        return partial_date(*dotted.groups()[::-1], earliest=ANY_YEAR)
    if numbers and (date := partial_date(*numbers.groups(), earliest=ANY_YEAR)):
        return date
    if early := re.match(r"\s*-([0-9]{3,4})(?!\w)", year.strip() or text):
        return f"-{early[1]:>04}"
    date = partial_date(year.strip(" /") or text.strip(" /"), earliest=ANY_YEAR)
    if date and re.fullmatch(r"\s*[0-9]{3,4}[ /]*", text or year):
        return date
    years = re.findall(r"(?<![0-9])[0-9]{4}(?![0-9])", f"{year} {text}")
    month = month_named(text)
    day = re.search(r"(?<![0-9])[0-9]{1,2}(?![0-9])", text) if month else None
    return partial_date(years[0] if years else None, month, day[0] if day else None, earliest=ANY_YEAR)


def count(raw: object) -> int | None:
    """Return a number of citations; None if `raw` cannot be one."""
    return raw if isinstance(raw, int) and not isinstance(raw, bool) and 0 <= raw <= COUNT_CAP else None


def is_preprint_venue(venue: str) -> bool:
    """Whether `venue` names a preprint server."""
    return _PREPRINT_VENUE.search(venue) is not None


def _number(raw: object) -> int | None:
    if isinstance(raw, bool):
        return None
    if isinstance(raw, str) and _NUMBER.fullmatch(raw):
        return int(raw)
    return raw if isinstance(raw, int) else None


_ARXIV_ONLY = re.compile(
    r"\s*(?:(?:https?://)?(?:www\.)?arxiv\.org/|(?:corr[, ]*)?abs/|arxiv(?: preprint)?[ :]*(?:arxiv:)?)\S+"
    r"(?:\s*\[[^\]]*\])?(?:\s*version:?\s*\d+)?[.;]?\s*",
    re.IGNORECASE,
)
_ARXIV = re.compile(r"arxiv|(?:corr|computing research repository)(?:,? abs/|(?: \(corr\))?$)", re.IGNORECASE)


def is_arxiv(venue: str) -> bool:
    """Whether a venue is arXiv, also under its name in computer science: `CoRR abs/1706.03762`."""
    return _ARXIV.match(venue) is not None


def is_arxiv_name(text: str) -> bool:
    """Whether `text` is only an arXiv id with a label or an address."""
    return _ARXIV_ONLY.fullmatch(text) is not None


def _type_of(type_name: str | None, venue: str, names: tuple[Identifier, ...]) -> PaperType:
    dois = [name.value for name in names if name.scheme == "doi"]
    if dois and not all(map(is_preprint_doi, dois)):
        # Some sources call a published paper a preprint because they saw the preprint first.
        return "article" if type_name == "preprint" else _known_type(type_name)
    only_arxiv = any(name.scheme == "arxiv" for name in names) and (not venue or is_preprint_venue(venue))
    if dois or only_arxiv or _PREPRINT_VENUE.fullmatch(venue):
        return "preprint"
    return _known_type(type_name)


def _known_type(type_name: str | None) -> PaperType:
    return next((kind for kind in PAPER_TYPES if kind == type_name), "other")


def _doi_of(names: tuple[Identifier, ...], preprint: bool | None) -> str | None:
    """Return the first DOI of a preprint or, if `preprint` is False, of a published version; None accepts any DOI."""
    dois = [name.value for name in names if name.scheme == "doi"]
    return min((value for value in dois if preprint in (None, is_preprint_doi(value))), default=None)


def _known_preprint(names: tuple[Identifier, ...]) -> Version | None:
    """Return the preprint that a published record gives only by its arXiv id."""
    value = next((name.value for name in names if name.scheme == "arxiv"), None)
    return Version("arXiv", None, f"10.48550/arxiv.{value}", f"https://arxiv.org/abs/{value}") if value else None


PersonParser = Callable[[object], Person | None]
"""A source's parser of one author; returns None for invalid data."""


def people_of(source: str, rows: object, total: int | None, read: PersonParser) -> list[Person]:
    """Return the authors of a list with `total` matches. Raises `BadResponse` for invalid data, and for an empty list
    unless `total` is zero."""
    if not isinstance(rows, list) or (not rows and total != 0):
        raise BadResponse(source, "sent a list without authors or how many there are; try again later.")
    people = [person for row in rows if (person := read(row))]
    if rows and not people:
        raise BadResponse(source, "sent a list with something other than authors; try again later.")
    return people


def person_of(source: str, row: object, read: PersonParser) -> Person:
    """Return a single author. Raises `BadResponse` for invalid data."""
    if person := read(row):
        return person
    raise BadResponse(source, "did not send an author; try again later.")
