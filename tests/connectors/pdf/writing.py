"""PDFs written object by object: good ones with text at given places, and bad ones of every kind."""

import zlib
from collections.abc import Iterable, Sequence

Placed = tuple[float, float, str]
"""x and y in points from the lower left corner, and the text of a line."""

_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
_OUTSIDE = str.maketrans({"ﬁ": "fi", "ﬂ": "fl", "Ł": "L", "ł": "l"})


def pdf(pages: Iterable[Sequence[Placed]]) -> bytes:
    """A PDF whose pages show these lines."""
    return of_contents([_content(page) for page in pages])


def of_contents(contents: Sequence[bytes], stream: str = "/Filter /FlateDecode ") -> bytes:
    """A PDF of one page for each content; they are packed, or sent as they are with another `stream` dictionary."""
    packed = [zlib.compress(content) if "Flate" in stream else content for content in contents]
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(packed)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(packed)} >>".encode(),
        _FONT,
    ]
    for place, data in enumerate(packed):
        objects.append(page_object(5 + 2 * place))
        objects.append(f"<< {stream}/Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream")
    return of_objects(objects)


def page_object(content: int) -> bytes:
    return (
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
        f" /Contents {content} 0 R >>"
    ).encode()


def of_objects(objects: Sequence[bytes]) -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalogue."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, data in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + data + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def looped() -> bytes:
    """A PDF whose page tree holds itself."""
    return of_objects([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>"])


def many_pages(count: int, content: bytes) -> bytes:
    """A small PDF of `count` pages that all show the same content."""
    data = zlib.compress(content, 9)
    kids = " ".join(f"{5 + place} 0 R" for place in range(count))
    return of_objects(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
            _FONT,
            f"<< /Filter /FlateDecode /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream",
            *[page_object(4)] * count,
        ]
    )


def _content(lines: Sequence[Placed]) -> bytes:
    parts = [b"BT /F1 9 Tf"]
    for x, y, text in lines:
        parts.append(f"1 0 0 1 {x} {y} Tm (".encode() + _escaped(text) + b") Tj")
    return b"\n".join([*parts, b"ET"])


def _escaped(text: str) -> bytes:
    data = text.translate(_OUTSIDE).encode("cp1252", "replace")
    return data.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def columns(
    lines: Sequence[str], *, head: str = "", count: int = 1, height: int = 60, indent: float = 10.0
) -> list[list[Placed]]:
    """`lines` set in `count` columns of `height` lines on as many pages as they need, each with `head` and a page
    number; a line that begins with spaces is indented, an empty one is a gap."""
    pages: list[list[Placed]] = []
    per_page = height * count
    for number, start in enumerate(range(0, len(lines), per_page), start=1):
        page: list[Placed] = [(54.0, 760.0, f"{head} {number}")] if head else []
        for place, line in enumerate(lines[start : start + per_page]):
            column, row = divmod(place, height)
            if line.strip():
                x = 54.0 + column * 260 + (indent if line.startswith(" ") else 0.0)
                page.append((x, 740.0 - row * 11.0, line.strip()))
        pages.append([*page, (300.0, 40.0, str(number))])
    return pages
