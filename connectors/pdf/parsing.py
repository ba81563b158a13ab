"""Parse the text of one reference: title, first author, year, identifiers.

Styles differ in the position of the title. The style is recognized from the entry itself, by the surest sign first: a
year after the names (`Names (2020). Title.`), quotation marks (`Names, “Title,”`), place, publisher and year in
brackets (`Names, Title (Place: Publisher, 2020)`), a colon (`Names: Title.`), a full stop (`Names. Title.`), or only
commas (`Names, Title, Journal 5 (2020) 1-10`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from connectors.identifiers import Identifier, arxiv, doi, identifiers, pmid
from connectors.paper import Author
from connectors.pdf.cited import CitedWork
from connectors.pdf.in_print import address_in, printed_in
from connectors.pdf.names import (
    end_of_names,
    first_family,
    is_bare_initials,
    is_body,
    is_family,
    is_group,
    is_initials,
    is_list_of_names,
    is_others,
    parts_of,
    without_others,
)
from connectors.pdf.titles import ends_with_venue, first_sentence, is_venue, tidy
from connectors.records.build import author, author_from_name, is_generation
from connectors.records.clean import TITLE_CAP, clean_text

ENTRY_CAP = 2_000
"""Maximum length of a reference; the rest is ignored, so that malicious texts cannot waste time."""
_TOKEN_CAP = 200
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HEAD_CAP = 40
_DIVIDED = re.compile(rf"([^\W\d_]{{1,{_HEAD_CAP}}})-$")
_ADDRESS = re.compile(r"https?:|www\.|\bdoi\b|10\.\d{4,9}/|arxiv", re.IGNORECASE)
_OPEN_END = re.compile(r"(?:[/_.=&?%#:]|//|10\.\d{4,9}/\S*-)$")
_CONTINUED = re.compile(r"[\w/.\-_]*[\d/_][\w/.\-_():;%=&?#]*\.?$")
_COMPOUND_HEADS = frozenset(
    "all anti auto bi co cross data deep down end few fine first full graph half hand hard high human in inter intra"
    " knowledge language large long low machine many meta mid mini model multi near non off on one open out over pair"
    " part point post pre pseudo query real recommender resource retrieval right second self semi short single small"
    " soft state sub super task text time token tool top two ultra under user vision well word zero".split()
)


def vocabulary(lines: Iterable[str]) -> frozenset[str]:
    """Return the words that occur unhyphenated in `lines`, in lower case, compounds with their hyphen."""
    return frozenset(word.lower() for line in lines for word in _WORD.findall(_undivided(line)))


def _undivided(line: str) -> str:
    """Return `line` without the hyphenated word at its end."""
    bare = line.rstrip()
    return bare.rpartition(" ")[0] if bare.endswith("-") else bare


def joined(lines: Sequence[str], words: frozenset[str] = frozenset(), cap: int = ENTRY_CAP) -> str:
    """Join lines to at most `cap` characters. `words` occur unhyphenated elsewhere: they distinguish `learn-ing`
    from `self-supervised`."""
    settled, capacity, text = list[str](), cap, ""
    for line in lines:
        if len(text) > capacity:
            break
        part = " ".join(line.split())
        text = continued(text, part, words) if text and part else text or part
        # only the last words can still change; this avoids copying everything for each line
        if len(text) > 2 * _TOKEN_CAP:
            settled.append(text[:-_TOKEN_CAP])
            capacity -= len(settled[-1])
            text = text[-_TOKEN_CAP:]
    return "".join([*settled, text])[:cap]


def continued(text: str, part: str, words: frozenset[str]) -> str:
    """Join `text`, the end of a line, with `part`, the beginning of the next; neither is empty."""
    last, following = text[-_TOKEN_CAP:].rpartition(" ")[2], part[:_TOKEN_CAP].partition(" ")[0]
    if _ADDRESS.search(last) and _goes_on(last, following):
        return text + part
    divided = _DIVIDED.search(last[-_HEAD_CAP - 1 :]) if last[-1:] == "-" else None
    if divided and part[0].islower():
        return (text if _is_compound(divided[1], part, words) else text[:-1]) + part
    if text[-1] in "-–" and text[-2:-1].isalnum() and part[0].isalnum():
        return text + part
    return f"{text} {part}"


def _goes_on(last: str, following: str) -> bool:
    """Whether an address at the end of a line continues on the next."""
    if following.lower().startswith(("http", "doi", "www.")):
        return False
    if _OPEN_END.search(last):
        # A full stop may also end the sentence: then a name or a remark follows, without digits or slashes.
        return not last.endswith(".") or ((following[:1].islower() or following[:1].isdigit()) and len(following) > 3)
    return _CONTINUED.match(following) is not None and not re.match(r"[(\[]|(?:19|20)\d\d\b", following)


def _is_compound(head: str, part: str, words: frozenset[str]) -> bool:
    match = _WORD.match(part)
    tail = match[0] if match else ""
    if f"{head}-{tail}".lower() in words:
        return True
    if f"{head}{tail}".lower() in words:
        return False
    return head.lower() == "self" or (head.lower() in _COMPOUND_HEADS and len(tail) > 3 and tail.lower() in words)


MOST_AUTHORS = 500


def people_of(authors: str) -> tuple[tuple[Author, ...], bool]:
    """Return the people named in `authors`, the beginning of a reference, and whether it says that there are more."""
    bare = authors.strip().rstrip(",;: (")
    if not is_list_of_names(bare):
        body = author(first_family(bare))
        return ((body,) if body else ()), bare != without_others(bare)
    parts = parts_of(bare)
    people = [name for part in parts if not is_others(part) and (name := _name(part))]
    et_al = any(is_others(part) or part != without_others(part) for part in parts)
    names = (person for person in _inverted(people) if person)
    return tuple(names)[:MOST_AUTHORS], et_al


def _name(part: str) -> str:
    """Return `part` without footnote marks, and without a full stop that ends the list and not an initial."""
    name = without_others(part).strip("*†‡§¶ ")
    last = name.split()[-1] if name else ""
    return name if is_initials(last) or is_generation(last) else name.rstrip(".")


def _inverted(parts: list[str]) -> Iterator[Author | None]:
    """Yield the people of the pieces between commas: `Doe` and `J. A.` are one, `Doe JA` is one, `Jane Doe` is one."""
    index = 0
    while index < len(parts):
        part, following = parts[index], parts[index + 1] if index + 1 < len(parts) else ""
        words, index = part.split(), index + 1
        if following and _is_given(following, part, parts, index):
            index += 1
            suffix = parts[index] if index < len(parts) and is_generation(parts[index]) else ""
            index += bool(suffix)
            yield author(part, following, None, suffix)
        elif following and is_generation(following):
            index += 1
            yield author_from_name(f"{part} {following}")
        elif len(words) > 1 and is_bare_initials(words[-1].rstrip(".")) and not is_initials(words[0]):
            yield author(" ".join(words[:-1]), words[-1].rstrip("."))
        elif is_body(words):
            yield author(part)
        else:
            yield author_from_name(part)


def _is_given(following: str, part: str, parts: list[str], index: int) -> bool:
    """Whether `following` is the given name of `part`, a family name before a comma: initials, or, for the first
    author (`Doe, Jane, and Richard Roe`), a name in place of a family name."""
    if any(is_initials(word) for word in part.split()):
        return False
    if is_initials(following):
        return True
    return index == 1 and is_family(part) and (len(parts) == 2 or all(" " in other for other in parts[2:]))


_LABEL = re.compile(
    r"\s*(?:[-•*]\s+)?(?:\[[^\]]{1,40}\]|\(\d{1,3}\)|\d{1,3}(?:[.)](?!\d)|(?=\s+[^\W\d_a-z]))|[-•*](?=\s))\s*"
)
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"“”<>]+")
_ARXIV = re.compile(
    r"(?:ar\s?xiv(?:\.org)?|corr)\b[\s:./,]*+(?:preprint\s*+)?(?:(?:abs|pdf)/|ar\s?xiv[:\s]++|e-prints?[,:\s]++(?:art\.\s*+)?)?\s*+[\[(]?"
    r"((?:[a-z]{2,8}(?:-[a-z]{2,4})?(?:\.[a-z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?)",
    re.IGNORECASE,
)
_ARXIV_ABS = re.compile(r"\babs/(\d{4}\.\d{4,5})", re.IGNORECASE)
_ARXIV_OLD = re.compile(
    r"\b((?:hep-(?:th|ph|ex|lat)|astro-ph|cond-mat|gr-qc|quant-ph|math-ph|nucl-(?:th|ex)|cs|math)(?:\.[A-Z]{2})?/\d{7})\b"
)
_PMID = re.compile(r"\bPMID:?\s*(\d{4,9})\b|pubmed\.ncbi\.nlm\.nih\.gov/(\d{4,9})")
_YEAR_AFTER_NAMES = re.compile(
    r"[\s,.;(\[]((?:1[6-9]|20)\d\d)[a-z]?(?:/(?:1[6-9]|20)?\d\d)?(?:,?\s+[^\W\d_]+\.?(?:\s+\d{1,2})?)?[)\]]?\s*[.,:;]*(?=\s|$|[“\"])"
    r"|\s[(\[]?(n\.d\.|in press|to appear|forthcoming)[)\]]?[.,]*(?=\s)"
)
_YEAR = re.compile(r"(?<![\d.:/–-])((?:1[6-9]|20)\d\d)(?:[a-z](?![a-z]))?(?![\d/]|[–-]\d|\.\d)")
_NO_YEARS = re.compile(
    r"https?://\S+|10\.\d{4,9}/\S+|ar\s?xiv[:\s]*\S+|abs/\S+|\b(?:accessed|retrieved|visited|abgerufen)\b[^.;]*"
    r"|\bpp?\.?\s*\d{1,9}\s*[–-]\s*\d{1,9}|\b\d{1,9}\s*[–-]+\s*\d{1,9}\b|\b[A-Z]{2,}-?\d{4}\b(?!\))|[“\"][^”\"]{0,500}[”\"]",
    re.IGNORECASE,
)
_YEAR_OF_ISSUE = re.compile(
    r"(?<!\d)((?:1[6-9]|20)\d\d)(?:\s+[A-Z][a-z]{2,8}\.?(?:[-–/\s][A-Z\d][a-z\d]{0,9}){0,4})?\s*;\s*(?=\d|[A-Z(])"
)
_YEAR_IN_BRACKETS = re.compile(r"\((?:[^()\d]{0,20}\s)?((?:1[6-9]|20)\d\d)[a-z]?\)")
_QUOTED = re.compile(r"[“„«]([^“”„«»]{6,500}(?:“[^“”]*”[^“”]*)?)[”»“]|(?<!\S)\"([^\"]{6,500})\"|``([^`]{6,500}?)''")


_PLACE_AND_PUBLISHER = re.compile(
    r"(?:,? (?:trans|eds?|rev)\. [^()]{2,200})?\s?\([^():;]{2,60}: [^():;]{2,80}, (?:1[6-9]|20)\d\d\)"
)


class _Head(NamedTuple):
    """The beginning of an entry: its authors, a year right after them, and the start of the rest."""

    authors: str
    year: int | None
    rest: str


def parsed(entry: str) -> CitedWork:
    """Parse `entry`. Never raises; parts that cannot be parsed are empty."""
    raw = _without_loose_quote(clean_text(without_label(entry[:ENTRY_CAP]), ENTRY_CAP))
    head = year_head(raw)
    title, authors = _quoted(raw, head) or _by_year(head) or _by_publisher(raw) or _by_names(raw)
    title = clean_text(tidy(title), TITLE_CAP)
    people, et_al = people_of(authors)
    printed = printed_in(_PLACE_AND_PUBLISHER.sub("", raw.partition(title or authors)[2]) if title or authors else "")
    return CitedWork(
        title=title,
        first_author=clean_text(first_family(authors), 100),
        year=head.year if head and head.year else _year(raw),
        identifiers=identifiers_in(raw),
        raw=raw,
        authors=people,
        et_al=et_al,
        **printed._asdict(),
        url=address_in(raw),
    )


def _without_loose_quote(text: str) -> str:
    """Return `text` without an unmatched quotation mark at its beginning."""
    if text[:1] == '"' and text.count('"') % 2:
        return text[1:].lstrip()
    return text[1:].lstrip() if text[:1] == "“" and "”" not in text else text


def without_label(entry: str) -> str:
    """Return `entry` without the number, label or bullet before it."""
    label = _LABEL.match(entry)
    return entry[label.end() :] if label else entry.lstrip()


def year_head(text: str) -> _Head | None:
    """Return the head of an entry with the year after the authors; None for other styles."""
    for match in _YEAR_AFTER_NAMES.finditer(text[:1_500]):
        authors, rest = text[: match.start()].strip(), text[match.end() :].strip()
        if not (is_list_of_names(authors) or is_group(authors)) or len(rest) < 8:
            return None
        year = int(match[1]) if match[1] else None
        return _Head(authors, year, rest) if year is None or _believable(year) else None
    return None


def _quoted(raw: str, head: _Head | None) -> tuple[str, str] | None:
    match = _QUOTED.search(raw[:1_200])
    if match is None:
        return None
    before, title = raw[: match.start()].strip(), next(group for group in match.groups() if group)
    authors = head.authors if head else before
    after_year = head is not None and raw.endswith(head.rest) and match.start() <= len(raw) - len(head.rest)
    separated = not before or before[-1] in ',.:;)”"'
    if not (after_year or (separated and (not before or is_list_of_names(before) or is_group(before)))):
        return None
    after = raw[match.end() :]
    if re.match(r"\s*[:–—]", after) or (title[-1] not in ",.?!" and re.match(r"\s+[a-z]", after)):
        return first_sentence(raw[match.start() :])[0], authors  # only the beginning of the title is quoted
    return title, authors


def _by_year(head: _Head | None) -> tuple[str, str] | None:
    return (first_sentence(head.rest)[0], head.authors) if head else None


def _by_publisher(raw: str) -> tuple[str, str] | None:
    """Return title and authors of a book cited as in notes: `Authors, Title (Place: Publisher, Year)`. The last of
    several authors follows “and”."""
    match = _PLACE_AND_PUBLISHER.search(raw[:1_200])
    if match is None:
        return None
    parts = raw[: match.start()].strip().split(", ")
    last = max((index for index, part in enumerate(parts[:-1]) if part.startswith("and ")), default=0)
    authors, title = ", ".join(parts[: last + 1]), ", ".join(parts[last + 1 :])
    return (title, authors) if title and is_list_of_names(authors) else None


def _by_names(raw: str) -> tuple[str, str]:
    """Return the title after a list of names that a colon, a full stop or a comma ends, and the authors."""
    names_end = end_of_names(raw)
    if names_end is None:
        title, rest = first_sentence(raw)
        if is_group(title) and rest:
            return first_sentence(rest)[0], title
        return ("", title) if is_venue(title) else (title, "")
    end, sign = names_end
    authors, rest = raw[:end].rstrip(" ,:"), raw[end:].strip()
    if sign == ",":
        return ends_with_venue(rest), authors
    title = first_sentence(rest)[0]
    return ("" if is_venue(title) else title), authors


def _year(raw: str) -> int | None:
    """Return the year of publication of an entry without a year right after the names."""
    text = _NO_YEARS.sub(" ", raw)
    for pattern in (_YEAR_OF_ISSUE, _YEAR_IN_BRACKETS, _YEAR):
        years = [year for digits in pattern.findall(text) if _believable(year := int(digits))]
        if years:
            return years[-1]
    return None


def _believable(year: int) -> bool:
    return 1600 <= year <= date.today().year + 1


def identifiers_in(raw: str) -> tuple[Identifier, ...]:
    """Return the DOIs, arXiv ids and PubMed ids in a text."""
    names = [doi(text) for text in _DOI.findall(raw)]
    names += [arxiv(text) for text in _ARXIV.findall(raw) + _ARXIV_ABS.findall(raw) + _ARXIV_OLD.findall(raw)]
    names += [pmid(first or second) for first, second in _PMID.findall(raw)]
    return identifiers(*names)
