"""Vancouver: `1. Family GM, Family G. Title. Journal. 2017;1(2):3–4. doi:…`"""

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import Reference, initials, sentence


def reference(one: Reference) -> str:
    names = [_name(name) for name in one.entry.names]
    people = ", ".join(names[:6]) + (", et al" if len(names) > 6 else "")
    parts = [sentence(part) for part in (people, one.title + _bracket(one)) if part]
    return " ".join([*parts, *filter(None, [_source(one), _link(one)])])


def _name(name: Name) -> str:
    letters = initials(name.given, "", "")
    return name.literal or " ".join(filter(None, [name.surname, letters, name.suffix.rstrip(".")]))


def _bracket(one: Reference) -> str:
    return {"thesis": " [thesis]", "dataset": " [dataset]"}.get(one.entry.kind, "")


def _source(one: Reference) -> str:
    match one.entry.kind:
        case "article":
            issue = f"({one.number})" if one.number else ""
            where = f"{one.volume}{issue}" + (f":{one.pages}" if one.pages else "")
            date = f"{one.year};{where}" if one.year and where else one.year or where
            return " ".join(sentence(part) for part in (one.container, date) if part)
        case "proceedings" | "chapter":
            pages = f"p. {one.pages}" if one.pages else ""
            place = f"In: {one.container}" if one.container else ""
            return " ".join(sentence(part) for part in (place, one.year, pages) if part)
        case "preprint":
            date = " ".join(filter(None, [one.year, one.month[:3], one.day if one.month else ""]))
            server = f"{one.server} [Preprint]".strip()
            return " ".join(sentence(part) for part in (server, date) if part)
    place = "; ".join(filter(None, [one.container or one.entry.publisher, one.year]))
    return sentence(place)


def _link(one: Reference) -> str:
    if one.entry.doi:
        return f"doi:{one.entry.doi}"
    if one.entry.arxiv:
        return f"arXiv:{one.entry.arxiv}"
    return f"Available from: {one.entry.url}" if one.entry.url else ""
