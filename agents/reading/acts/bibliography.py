"""Acts that export papers and check their entries."""

from agents.reading.acts.act import Sentence, acts
from agents.reading.acts.changes import changed
from agents.reading.reading import Call, Reading, call

_FORMATS = {
    name: of or name
    for name, _, of in (
        word.partition("=")
        for word in "bibtex bib=bibtex latex=bibtex biblatex ris endnote=ris zotero=ris csl-json csl=csl-json"
        " json=csl-json markdown md=markdown csv spreadsheet=csv excel=csv text apa ieee vancouver chicago mla".split()
    )
}

_STYLES = frozenset({"apa", "ieee", "vancouver", "chicago", "mla", "nature"})


def _exported(sentence: Sentence) -> Reading | None:
    """Export in the format that the slots name, or else a message that names little but a format, "APA please"."""
    words = [*sentence.words("format"), *sentence.words("word")]
    if not sentence.spans:
        words = [key for key in sentence.turn.reader.keys if key in _FORMATS]
    names = [_FORMATS[word] for word in words if word in _FORMATS]
    strange = [
        word
        for word in words
        if word not in _FORMATS
        and word not in ("as", "in", "a", "an", "the", "format", "file", "style", "entry", "entries", "to", "csl", ".")
    ]
    if strange or (words and not names):
        return None
    name = next((name for name in names if name in _STYLES), names[0] if names else "")
    given = {"format": "text", "style": name} if name in _STYLES else {"format": name} if name else {}

    def make(papers: tuple[str, ...]) -> Call:
        return call("export", papers=list(papers), **given)

    return changed(sentence, make)


def _checked(sentence: Sentence) -> Reading | None:
    return changed(sentence, lambda names: call("check", papers=list(names)))


EXPORT, CHECK = acts(
    """
export | write a bibliography | export my thesis papers as BibTeX
  export|download|print {papers?} [as|in|to|into] {format?}; {word} of|for {papers}; {papers} as|in|to|into [a|an]
  {format}; [a|the] bibliography|reference_list|references|citation|citations|citation_entry of|for {papers} [in|as]
  {format?}; [a|the] {word} entry|entries|file|citation|citations|record|records|export|format|reference|references
  of|for {papers}; cite {papers?} [in|as] {format?}; how do|should|can i cite {papers};
  write|make|create|generate|build|produce|print [a|the] bibliography|bib_file|reference_list [of|for|from|with]
  {papers?} [in|as] {format?}; [write|make|create|generate|print] [a|the] bibliography|reference_list in|as {format}
  of|for|from|with {papers}; write|make|create|generate|produce|save|turn|convert|format [the] {papers} as|in|to|into
  [a|an] {format}; apa|bibtex|biblatex|ris|ieee|vancouver|chicago|mla|endnote
  [style|format|version|citation|reference|entry|file|one]; as|in|to [a|an] {format}; [the] bibliography [please];
  write|make|create|generate|give|get|show [me] [a|an|the] {format}; write|make|create|generate|need|want [a|an|the]
  {word} [file|entries|entry|bibliography|list] of|for|from|with {papers}; [a|the] {papers} 's {word}
check | check papers for retractions and missing fields | check these
  check|verify|validate {papers?} [for|against]
  [retractions|errors|mistakes|missing_fields|problems|completeness|duplicates];
  check|verify if|whether {papers} is|are|was|were|has|have [been] retracted|complete|correct|ok|published|up_to_date;
  is|are anything|something wrong with {papers}; what is wrong with {papers};
  is there anything|something wrong with {papers}; is|are {papers} complete|correct
""",
    {"export": _exported, "check": _checked},
)
