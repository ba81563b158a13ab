"""Reader of the ACL Anthology's XML: one paper within its volume and its collection."""

from lxml import etree

from connectors.identifiers import doi
from connectors.paper import Author, Paper
from connectors.records.build import author, build_paper, partial_date
from connectors.records.publication import publication_of

SOURCE = "acl_anthology"


def read_paper(collection: bytes) -> Paper | None:
    """Return the paper of a collection that has one volume with one paper; None if it is damaged."""
    try:
        root = etree.fromstring(collection, etree.XMLParser(resolve_entities=False, no_network=True))
    except (etree.XMLSyntaxError, ValueError):
        return None
    volume, meta, paper = root.find("volume"), root.find("volume/meta"), root.find("volume/paper")
    if volume is None or meta is None or paper is None:
        return None
    journal = volume.get("type") == "journal"
    book = _text(meta, "booktitle")
    return build_paper(
        SOURCE,
        title=_text(paper, "title"),
        abstract=_text(paper, "abstract"),
        authors=_people(paper, "author"),
        date=partial_date(_text(meta, "year")),
        venue=(_text(meta, "journal-title") or book.partition(", Volume ")[0]) if journal else book,
        type="article" if journal else "conference-paper",
        identifiers=[doi(_text(paper, "doi"))],
        url=f"https://aclanthology.org/{_text(paper, 'url') or _name(root, volume, paper)}",
        retracted=paper.find("retracted") is not None,
        language=_text(paper, "language"),
        imprint=publication_of(
            volume=_text(meta, "journal-volume"),
            number=_text(paper, "issue") or _text(meta, "journal-issue"),
            pages=_text(paper, "pages"),
            publisher=_text(meta, "publisher"),
            editors=_people(meta, "editor"),
        ),
    )


def _name(collection: etree._Element, volume: etree._Element, paper: etree._Element) -> str:
    return f"{collection.get('id')}-{volume.get('id')}.{paper.get('id')}"


def _people(element: etree._Element, role: str) -> list[Author]:
    people = (author(_text(member, "last"), _text(member, "first")) for member in element.iterchildren(role))
    return [person for person in people if person]


def _text(element: etree._Element, name: str) -> str:
    """Return the text of the first child `name` without its markup."""
    child = element.find(name)
    return "" if child is None else "".join(map(str, child.itertext())).strip()
