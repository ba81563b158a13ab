"""Bibliographies: "write the BibTeX", "APA references for the papers tagged survey", "cite the second"."""

import re

from agents.builtin.requests.acts.rule import Rule, first_reading
from agents.builtin.requests.in_any_order.papers_meant import papers_meant
from agents.builtin.requests.meant import Meant, meant
from agents.builtin.requests.phrases import HEARD, Phrases, Slots
from agents.builtin.requests.references import IT, SHOWN
from agents.builtin.requests.scene import Reading, Scene

_FORMATS = (
    ("biblatex", r"bib-?latex"), ("bibtex", r"bib ?tex|\.?bib"), ("ris", r"\.?ris"),
    ("csl-json", r"csl(?:[ -]?json)?|json"), ("markdown", r"markdown|md"), ("csv", r"csv|spreadsheet|excel"),
    ("text", r"plain text|text|apa|mla|chicago|ieee|vancouver|nature|formatted"),
)  # fmt: skip
_STYLE = "apa/mla/chicago/ieee/vancouver/nature"
_LIST = (
    "([a|the] [formatted] (bibliography/bibliographies/references/citations|reference list|list of "
    "references|citation list|reference/citation|works cited list))"
)
_MAKE = (
    "(write/export/create/make/produce/generate/give/show/get/need/want/print/have/output/dump/send/prepare/format"
    "/download/turn/convert/save [out|down|up] [me] [up]|i (need|want|would like)|what is|can i (have|get)|build)"
)
_OF = "(of/for/from/on/to/with/about)"


def _export(slots: Slots, scene: Scene) -> Reading | None:
    papers = _papers(slots.get("papers", ""), scene)
    return papers and _as(slots.get("how", ""), papers)


def _as(how: str, papers: Meant) -> Reading:
    format_ = next((name for name, said in _FORMATS if re.search(rf"(?<!\w)(?:{said})(?!\w)", how, re.IGNORECASE)), "")
    style = re.search(rf"\b(?:{_STYLE.replace('/', '|')})\b", how, re.IGNORECASE)
    return papers.then("export", format=format_, style=style[0].lower() if style else "")


def _papers(slot: str, scene: Scene) -> Meant | None:
    if slot.lower() in ("this", "that") and not scene.has_it:
        return Meant((), [SHOWN])
    if slot.lower() in ("its", "it") or (not slot and scene.looked and scene.shown <= 1):
        return Meant((), [IT])
    return meant(slot, scene) if slot else Meant((), [SHOWN])


_BIBLIOGRAPHIC = re.compile(
    r"(?:\(?(?:\b(?:as|in|into|to|using|of type) )?(?:\b(?:the|a|an|its|their) )?"
    r"(?:\b(?:citation |reference |bibliography )?(?:format|style|form|type)(?: (?:is|of))?\s*[:=]?\s*)?(?<![\w.-]))"
    r"(?P<how>bib ?tex|bib-?latex|\.?bib(?=\b)|\.?ris|csl[ -]?json|csl|apa|mla|chicago|ieee|vancouver"
    r"|nature(?= (?:style|format|ref|cit)))(?![\w-])\)?"
    r"(?: (?:formatted|formatting|format|style|styles?|files?|form|text|record|records|code|export|output|version"
    r"|download|dump)\b)*",
    re.IGNORECASE,
)
"""A bibliographic format, with what belongs to it."""
_ENTRIES = frozenset(
    """
    reference references citation citations bibliography bibliographies entries entry record records cite citing cited
    quote paste copy list formatted file files works
    """.split()
)
_WHY = re.compile(
    r",? (?:since|because|as|so that|so) (?:they|it|these|this|i|we|that)\b[^.?!]*|,? (?:(?:in order |so as )?to"
    r" (?:import|put|paste|load|use|open|drop|feed)|(?:for|into) (?:(?:my|a|the|an|our) )?(?:reference list|reference"
    r" manager|bibliography|latex|zotero|mendeley|endnote|jabref|citavi|overleaf|manuscript|word document))\b"
    r"(?! (?:of|for|from|in the))[^.?!,]*",
    re.IGNORECASE,
)
HEARD.update(_ENTRIES | set(re.findall("[a-z]{3,}", _WHY.pattern)) | {"imported", "pasted", "loaded", "biblatex"})
_ABOUT_IT = re.compile(r"\b(?:about|on|regarding|concerning|called|titled|named|by) $|\"", re.IGNORECASE)


def exporting(text: str, scene: Scene) -> Reading | None:
    """A bibliography: by the format that stands anywhere in the request, or as the rules know it."""
    return in_a_format(text, scene) or first_reading(EXPORTING, text, scene)


def in_a_format(text: str, scene: Scene) -> Reading | None:
    """The papers of a request that names a bibliographic format, in that format; None where it wants more than that."""
    found = _BIBLIOGRAPHIC.search(text)
    if found is None or _ABOUT_IT.search(text[: found.start("how")]):
        return None
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    papers = papers_meant(_WHY.sub(" ", rest), _ENTRIES, scene)
    return papers and _as(found["how"], papers)


_H = "<how:how>"
_AS = "(as|in|into|to|using) [the|a|an]"
_BOOK = "([a|the] [formatted] (bibliography|list of references|citation list))"
EXPORTING = (
    Rule(Phrases(f"""
        [{_MAKE}] [me] {_LIST} [{_OF} <papers>] [{_AS}] {_H}
        [{_MAKE}] [me] {_LIST} {_AS} {_H} {_OF} <papers>
        [{_MAKE}] [me] {_BOOK} {_OF} <papers>
        [{_MAKE}] [me] {_LIST} {_AS} {_H}
        [{_MAKE}] [me] {_BOOK} [please]
        [{_MAKE}] [me] {_LIST} out of <papers>
        [{_MAKE}] [me] <papers> [down|up] {_AS} (bibliography|reference list|list of references|citation
            list|references)
    """), _export),
    Rule(Phrases(f"""
        [{_MAKE}] [me] [the|a|an|its|their] {_H} {_OF} <papers>
        (how (do|would|should) i cite|cite/export/print) <papers> {_AS} {_H}
        [{_MAKE}] [me] <papers> {_AS} {_H}
        cite/export/print <papers> {_H}
        (how (do|would|should) i cite|cite/export) <papers>
        <papers> 's {_H}
        {_H} : <papers>
        <papers> {_AS} {_H}
    """), _export),
    Rule(Phrases(f"""
        [{_MAKE}] [me] [the|a|an|its|their|as|in|to] {_H} [please]
        (export|cite) [{_AS} {_H}]
        [a|an] {_H} (export|output|version|download|dump) [please]
    """), _export),
)  # fmt: skip
