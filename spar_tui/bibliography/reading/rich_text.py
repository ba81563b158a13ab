"""Text with the markup of Markdown, as CSL-YAML has it, or of Typst, as hayagriva does, with the tags of CSL-JSON."""

import re

from spar_tui.bibliography.markup import SMALL_CAPS

_MATH = r"\$(?=\S)(?:[^$\\]|\\.)*+(?<=\S)\$(?!\d)"
_UNDERLINES = r"(?<!\w)_(?=[^\s_])(?P<em>(?:[^_\\]|\\.|(?<=\w)_(?=\w))++)(?<=\S)_(?!\w)"
_MARKDOWN = re.compile(
    rf"\\(?P<sign>[!-/:-@\[-`{{-~ ])|(?P<math>{_MATH})"
    r"|\*\*(?=[^\s*])(?P<strong>(?:[^*\\]|\\.)++)(?<=\S)\*\*"
    rf"|\*(?=[^\s*])(?P<star>(?:[^*\\]|\\.)++)(?<=\S)\*|{_UNDERLINES}"
    r"|~(?P<sub>(?:[^~\s\\]|\\.)++)~|\^(?P<sup>(?:[^\^\s\\]|\\.)++)\^"
    r"|\[(?P<span>[^\[\]]*+)\]\{\.(?P<style>smallcaps|nocase)\}",
    re.DOTALL,
)
_TYPST = re.compile(
    rf"\\(?P<sign>[!-/:-@\[-`{{-~])|(?P<math>{_MATH})|\{{(?P<nocase>[^{{}}]*+)\}}"
    rf"|(?<!\w)\*(?=[^\s*])(?P<strong>(?:[^*\\]|\\.)++)(?<=\S)\*(?!\w)|{_UNDERLINES}"
    r"|#(?P<style>emph|strong|sub|super|smallcaps)\[(?P<span>[^\[\]]*+)\]",
    re.DOTALL,
)
_TAGS = {
    "em": "<i>", "emph": "<i>", "star": "<i>", "strong": "<b>", "sub": "<sub>", "sup": "<sup>", "super": "<sup>",
    "smallcaps": SMALL_CAPS, "nocase": '<span class="nocase">',
}  # fmt: skip


def of_markdown(text: str) -> str:
    """Text of CSL-YAML, whose markup pandoc reads as Markdown."""
    return _with_tags(_MARKDOWN, text)


def of_typst(text: str, *, verbatim: bool = False) -> str:
    """Text of hayagriva, in which braces keep capitals, as those of a whole text that is `verbatim` are."""
    return _tagged("nocase", text) if verbatim else _with_tags(_TYPST, text)


def _with_tags(markup: re.Pattern[str], text: str) -> str:
    def written(match: re.Match[str]) -> str:
        parts = {name: part for name, part in match.groupdict().items() if part is not None}
        if "sign" in parts or "math" in parts:
            return parts.get("math") or parts["sign"]
        style = parts.pop("style", "") or next(iter(parts))
        [inner] = parts.values()
        return _tagged(style, _with_tags(markup, inner))

    return markup.sub(written, text)


def _tagged(style: str, text: str) -> str:
    start = _TAGS[style]
    return f"{start}{text}</{start.strip('<>').split()[0]}>"
