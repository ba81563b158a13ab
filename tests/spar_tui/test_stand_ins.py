"""A terminal of an old encoding shows plain letters and lines of ASCII, each as wide as what it stands for."""

import codecs

from spar_tui.stand_ins import stand_in


def test_what_an_encoding_lacks_is_shown_by_plain_characters_of_the_same_width() -> None:
    codecs.register_error("stand-in of this test", stand_in)
    shown = "╭─┬│ Dvořák’s H₂O at 10⁻³ – “ok” … ✔ ↑ ▆ 漢 é ⅔ ≠".encode("latin-1", "stand-in of this test").decode(
        "latin-1"
    )
    assert shown == '+-+| Dvorák\'s H2O at 10-³ - "ok" . * ^ # ?? é ? *'
