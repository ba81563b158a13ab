"""Every entry of a file is read in the encoding that it was written in, and every guess is told."""

import pytest

from spar_tui.bibliography.reading.encodings import decode
from spar_tui.bibliography.reading.files import found_in_bytes
from spar_tui.errors import UsageError
from tests.rows import each


def entry(key: str, title: str, encoding: str) -> bytes:
    return f"@article{{{key}, title={{{title}}}, year=2010}}\n".encode(encoding)


@each(
    ("encoding", "title"),
    [
        ("cp1252", "Évaluation des forêts tropicales à Madagascar"),
        ("cp1252", "Größe und Maß der Gräser in Süddeutschland"),
        ("cp1250", "Příručka českého jazyka"),
        ("cp1250", "Źródła energii północy"),
        ("iso8859_2", "Źródła energii, źdźbło północy"),
        ("iso8859_5", "Исследование болотных трав"),
        ("iso8859_15", "Le cœur et l'œuvre"),
        ("cp1254", "Türkiye'de eğitim ve öğretim"),
        ("mac_roman", "Größe und Maß"),
        ("cp1251", "Болотные травы севера"),
        ("koi8_r", "Болотные травы севера"),
        ("cp1253", "Η ιστορία της Ελλάδας"),
        ("gb18030", "航拍视频中运动目标的检测"),
        ("shift_jis", "湿地の草について"),
        ("euc_kr", "한국의 경제 발전에 관한 연구"),
        ("cp1250", "Dvořák, Jiří"),
        ("cp1254", "Yıldız, Ayşe"),
        ("cp1257", "Lietuvių kalbos žodynas"),
        ("koi8_r", "Вестник"),
        ("cp1255", "כהן, משה"),
        ("big5", "關於山羊的研究"),
        ("shift_jis", "土木学会誌"),
        ("shift_jis", "カタカナの歴史"),
        ("euc_kr", "역사 연구"),
        ("iso2022_jp_2", "湿地の草について"),
    ],
)
def test_an_entry_is_read_in_its_own_encoding_and_its_neighbours_stay(encoding: str, title: str) -> None:
    raw = entry("a", "Größe – naïve Поле", "utf-8") + entry("b", title, encoding) + entry("c", "日本 é", "utf-8")
    found = found_in_bytes(raw, "x.bib")
    assert [one.paper.title for one in found.entries] == ["Größe – naïve Поле", title, "日本 é"]
    [problem] = found.problems
    assert (problem.line, problem.taken) == (2, True)
    assert f"read as {encoding}" in problem.reason


def test_records_of_refer_without_types_have_encodings_of_their_own() -> None:
    raw = "%A Петров, Иван\n%T Болотные травы\n\n".encode("cp1251") + "%A Müller, Jörg\n%T Größe\n".encode()
    assert [one.paper.title for one in found_in_bytes(raw, "x.enw").entries] == ["Болотные травы", "Größe"]


def twice(text: bytes) -> bytes:
    """What a program makes of UTF-8 that it takes for cp1252 and writes in UTF-8."""
    return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in text).encode()


@each("title", ["Müller – “Größe”", "Болотные травы", "湿地の草について", "L’été"])
def test_an_entry_that_was_encoded_twice_is_decoded_twice_and_its_neighbours_stay(title: str) -> None:
    once = entry("b", title, "utf-8")
    for garbled in (twice(once), twice(twice(once)), once.decode("latin-1").encode()):
        found = found_in_bytes(entry("a", "Größe", "utf-8") + garbled + entry("c", "Größe", "cp1252"), "x.bib")
        assert [one.paper.title for one in found.entries] == ["Größe", title, "Größe"]
        [problem] = [one for one in found.problems if one.line == 2]
        assert "encoded in UTF-8 twice" in problem.reason


@each("title", ["NÃO É ASSIM", "LA LIBERTÉ—essai", "CAFÉ™", "Große Wörter", "“É”", "Ångström"])
def test_what_only_begins_like_a_twice_encoded_sign_stays(title: str) -> None:
    found = found_in_bytes(entry("a", title, "utf-8"), "x.bib")
    assert ([one.paper.title for one in found.entries], found.problems) == ([title], ())


def test_an_encoding_that_is_named_is_taken_for_the_whole_file() -> None:
    assert found_in_bytes(entry("a", "Türkiye'de eğitim", "cp1254"), "x.bib", "cp1254").problems == ()
    with pytest.raises(UsageError, match="not a known encoding"):
        found_in_bytes(b"@misc{a}", "x.bib", "cp9999")


def test_one_sentence_tells_of_all_entries_that_were_guessed_alike() -> None:
    raw = b"".join(entry(f"k{number}", "Größe", "cp1252") for number in range(5))
    [guess] = decode(raw).guesses
    assert guess.lines == (1, 2, 3, 4, 5)
    [problem] = found_in_bytes(raw, "x.bib").problems
    assert "and 4 more" in problem.reason


@each(
    "remark",
    ["5 ± 2 and 12±3", "at 37 °C", "5 µg/ml, 7×3 µm", "§ 3, © 2001, Foo®", "½ to ¾ of £5 and €6", "nº 5, 2ª parte",
     "12 cm², R² = 3", "¿qué? ¡ya!"],
)  # fmt: skip
@each("neighbour", ["", "Évaluation des forêts à Besançon"])
def test_signs_alone_do_not_tell_another_language(remark: str, neighbour: str) -> None:
    title = f"Growth of reeds, {remark}"
    raw = entry("a", neighbour, "cp1252") * bool(neighbour) + entry("b", title, "cp1252")
    assert found_in_bytes(raw, "x.bib").entries[-1].paper.title == title


def test_entries_in_latin_script_may_differ_in_their_encoding() -> None:
    titles = {"cp1252": "Évaluation des forêts à Besançon", "cp1250": "Źródła energii północy, źdźbło i łąka"}
    raw = b"".join(entry(name, title, name) for name, title in titles.items()) + entry("c", "Forêts à l’été", "cp1252")
    found = found_in_bytes(raw, "x.bib").entries
    assert [one.paper.title for one in found] == [*titles.values(), "Forêts à l’été"]


@each("name", ["x.bib", "x.ris", "x.nbib", "x.enw", "x.ciw", "x.txt", "x.csv", "x.yaml", "x.json"])
def test_each_text_format_reads_one_work_in_another_encoding_behind_a_byte_order_mark(name: str) -> None:
    head, form, foot = {
        "x.bib": ("", "@article{k%s, title={%s}}\n", ""),
        "x.ris": ("", "TY  - JOUR\nID  - k%s\nTI  - %s\nER  - \n", ""),
        "x.nbib": ("", "PMID- %s\nTI  - %s\n\n", ""),
        "x.enw": ("", "%%0 Journal Article\n%%F k%s\n%%T %s\n\n", ""),
        "x.ciw": ("FN Clarivate\nVR 1.0\n", "PT J\nUT WOS:%s\nTI %s\nER\n\n", ""),
        "x.txt": ("", "RT Journal Article\nID %s\nT1 %s\n\n", ""),
        "x.csv": ("Key,Title,Year,Authors\n", '%s,"%s",2001,"Aa, A."\n', ""),
        "x.yaml": ("references:\n", "- id: k%s\n  type: book\n  title: %s\n", ""),
        "x.json": ("[\n", '{"id": "k%s", "type": "book", "title": "%s"}, \n', '{"id": "z", "title": "Last"}]'),
    }[name]
    titles = ["Schöne Röhrichte – Теil", "Größe und Maß der Gräser", "日本 é"]
    works = [
        (form % (number, title)).encode("cp1252" if number == 2 else "utf-8") for number, title in enumerate(titles, 1)
    ]
    for mark in (b"", b"\xef\xbb\xbf"):  # a file pasted behind another brings its own mark
        raw = mark + head.encode() + works[0] + works[1] + (mark if not head else b"") + works[2] + foot.encode()
        found = found_in_bytes(raw, name)
        assert [work.paper.title for work in found.entries][:3] == titles
        assert any("not UTF-8; read as cp1252" in problem.reason for problem in found.problems)


def test_letters_that_no_encoding_gives_back_are_told_with_their_line() -> None:
    lost_before = entry("a", "Gr\ufffdße", "utf-8")
    for raw, encoding, line in (
        (lost_before, "", 1),
        (entry("a", "Reeds", "ascii") + entry("b", "příručka", "iso8859_2"), "ascii", 2),
        (entry("a", "Reeds", "ascii") + entry("b", "Größe", "cp1252"), "utf-8", 2),
    ):
        [problem] = found_in_bytes(raw, "x.bib", encoding).problems
        assert (problem.line, problem.taken, "\ufffd" in problem.reason) == (line, True, True)
