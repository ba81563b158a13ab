"""Small documents with the same three references, in every kind of file."""

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

REFERENCES = (
    (
        "Karpukhin, V., Oguz, B., & Min, S. (2020). Dense passage retrieval for open-domain question answering. In"
        " Proceedings of EMNLP (pp. 6769–6781). https://doi.org/10.18653/v1/2020.emnlp-main.550"
    ),
    "LeCun, Y., Bengio, Y., & Hinton, G. (2015). Deep learning. Nature, 521(7553), 436–444.",
    (
        "Mikolov, T., Chen, K., et al. (2013). Efficient estimation of word representations in vector space."
        " arXiv:1301.3781."
    ),
)
TITLES = (
    "Dense passage retrieval for open-domain question answering", "Deep learning",
    "Efficient estimation of word representations in vector space",
)  # fmt: skip
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"

Paragraph = tuple[str, int]
"""Its text, and the level of the heading that it is; 0 for none, -1 for the title."""
PAPER: tuple[Paragraph, ...] = (
    ("A study of everything", 1), ("In 2020 we read Karpukhin et al. (2020) and found it good.", 0), ("References", 1),
    *((reference, 0) for reference in REFERENCES), ("Appendix", 1), ("Roe, B. (2021) is what nobody cites here.", 0),
)  # fmt: skip


def docx(paragraphs: Sequence[Paragraph] = PAPER, head: str = "", notes: Sequence[str] = ()) -> bytes:
    body = "".join(
        f"<w:p>{_style(level) if level else ''}<w:r><w:t>{escape(text)}</w:t></w:r></w:p>" for text, level in paragraphs
    )
    parts = {"word/document.xml": f'{head}<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>'}
    if notes:
        told = "".join(f"<w:footnote><w:p><w:r><w:t>{escape(note)}</w:t></w:r></w:p></w:footnote>" for note in notes)
        blank = '<w:footnote w:type="separator"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
        parts["word/footnotes.xml"] = f'<w:footnotes xmlns:w="{_W}">{blank}{told}</w:footnotes>'
    return zipped(parts)


def _style(level: int) -> str:
    style = "Title" if level < 0 else f"Heading{level}"
    return f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>'


def odt(paragraphs: Sequence[Paragraph] = PAPER) -> bytes:
    body = "".join(
        f'<text:h text:outline-level="{level}">{escape(text)}</text:h>'
        if level
        else f"<text:p>{escape(text).replace(' ', '<text:s/>', 1)}</text:p>"
        for text, level in paragraphs
    )
    return zipped({
        "content.xml": f'<office:document-content xmlns:office="{_OFFICE}" xmlns:text="{_TEXT}"><office:body>'
        f"<office:text>{body}</office:text></office:body></office:document-content>"
    })  # fmt: skip


def zipped(parts: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return made.getvalue()


def html(paragraphs: Sequence[Paragraph] = PAPER) -> str:
    body = "".join(
        f"<h{level}>{escape(text)}</h{level}>" if level else f"<p>{escape(text)}</p>" for text, level in paragraphs
    )
    return (
        f"<!DOCTYPE html><html><head><title>x</title><script>var References;</script></head><body>{body}</body></html>"
    )


def markdown(paragraphs: Sequence[Paragraph] = PAPER) -> str:
    return "\n\n".join(f"{'#' * level} {text}" if level else f"- {text}" for text, level in paragraphs)


def plain(paragraphs: Sequence[Paragraph] = PAPER) -> str:
    return "\n\n".join(text for text, _ in paragraphs)
