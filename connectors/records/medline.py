"""Conventions of MEDLINE, in PubMed's records and in files derived from them."""

from collections.abc import Collection

from connectors.paper import PaperType

_TYPES: dict[str, PaperType] = {
    "preprint": "preprint",
    "book chapter": "chapter",
    "review": "review",
    "systematic review": "review",
    "scoping review": "review",
    "academic dissertation": "thesis",
    "dataset": "dataset",
    "technical report": "report",
}
"""Publication types more specific than article."""
_LANGUAGES = dict(
    pair.split(":")
    for pair in (
        "ara:ar bul:bg cat:ca chi:zh cze:cs dan:da dut:nl eng:en est:et fin:fi fre:fr geo:ka ger:de gre:el heb:he"
        " hrv:hr hun:hu ice:is ind:id ita:it jpn:ja kor:ko lav:lv lit:lt nor:no per:fa pol:pl por:pt rum:ro rus:ru"
        " slo:sk slv:sl spa:es srp:sr swe:sv tha:th tur:tr ukr:uk vie:vi"
        " ces:cs deu:de ell:el eus:eu fas:fa fra:fr isl:is kat:ka lat:la nld:nl ron:ro slk:sk zho:zh"
    ).split()
)
"""The three-letter codes of MEDLINE and ISO 639-3 for common languages, with the two-letter ISO 639-1 codes."""


def type_of(kinds: Collection[str]) -> PaperType:
    """Return the paper type for MEDLINE's publication types, in lower case."""
    return next((_TYPES[kind] for kind in _TYPES if kind in kinds), "article")


def retracted(kinds: Collection[str]) -> bool:
    """Whether the publication types, in lower case, mark a retracted paper; a retraction notice does not count."""
    return "retracted publication" in kinds


def language_of(code: str) -> str | None:
    """Return the two-letter code of a language if it is in the table; None for several languages or none."""
    code = code.lower()
    return None if code in ("und", "mul") else _LANGUAGES.get(code, code)


def without_stop(title: str) -> str:
    """Return a title as its journal prints it: MEDLINE adds a full stop, and brackets around translated titles."""
    bare = title.removesuffix(".") if not title.endswith("..") else title
    return bare[1:-1] if bare.startswith("[") and bare.endswith("]") and bare.count("[") == 1 else bare
