"""`spar check` on a real file, against services over HTTP."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.services import Fault, Services
from tests.services.corpus.works import Work
from tests.spar_tui.in_process import spar

pytestmark = pytest.mark.usefixtures("quick_pace")

INVENTED = """@article{invented,
  author = {Nobody, No}, title = {A study that nobody ever wrote about nothing}, journal = {J}, year = 2020,
  doi = {10.5555/never.was},
}
"""


def bib(key: str, work: Work, **changed: str | None) -> str:
    fields = {
        "author": " and ".join(f"{one.family}, {one.given}" for one in work.authors),
        "title": work.title,
        "journal": work.venue or "A Journal",
        "year": str(work.year),
        "doi": work.doi,
        **changed,
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@article{{{key},", *lines, "}", ""])


def sound(services: Services) -> list[Work]:
    """Works that two sources have by their DOIs."""
    return [
        one for one in services.corpus.works
        if one.doi and one.openalex and one.s2 and one.authors and one.year and not one.retracted
        and one.preprint is None and "odd" not in one.doi and not one.arxiv
    ][:4]  # fmt: skip


@pytest.fixture(scope="module")
def told(services: Services, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A file with one entry of each kind, checked."""
    home = tmp_path_factory.mktemp("home")
    plain = sound(services)
    gone = next(one for one in services.corpus.works if one.retracted and one.openalex)
    entries = [
        bib("right", plain[0]),
        bib("wrongyear", plain[1], year="1901"),
        bib("wrongdoi", plain[2], doi=plain[3].doi),
        bib("bytitle", plain[3], doi=None),
        bib("gone", gone),
        INVENTED,
        bib("again", plain[0]),
        "@article{broken, title={No end",
    ]
    file = home / "refs.bib"
    file.write_text("\n".join(entries))
    before = file.read_bytes()
    ran = spar(home, "check", str(file), "--json", more=services.environment)
    assert ran.returncode == 1, ran.stderr
    assert file.read_bytes() == before
    found: dict[str, Any] = json.loads(ran.stdout)
    return {one["key"] or "?": one for one in found["entries"]}


@pytest.mark.parametrize(
    ("key", "verdict"),
    [
        ("right", "ok"), ("wrongyear", "fields differ"), ("wrongdoi", "fields differ"), ("bytitle", "ok"),
        ("gone", "retracted"), ("invented", "not found"), ("again", "duplicate"), ("broken", "unreadable"),
    ],
)  # fmt: skip
def test_each_entry_gets_its_verdict(key: str, verdict: str, told: dict[str, Any]) -> None:
    assert told[key]["verdict"] == verdict, told[key]


def test_what_sources_do_not_list_is_told_apart_and_is_no_finding(services: Services, tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text(
        "@patent{p, title={Elektromagnetisches Signalhorn}, author={A, B}, year=1990, number={EP 1}}\n"
        "@jurisdiction{c, title={Kartinyeri v Commonwealth}, date={1998}}\n"
        "@online{w, title={How to fly a kite in the wind}, url={https://kites.org}}\n"
    )
    ran = spar(tmp_path, "check", str(tmp_path / "a.bib"), more=services.environment)
    assert ran.returncode == 4
    assert "not found" not in ran.stdout.lower()
    for sentence in ("A patent cannot be looked up", "A court case cannot be", "A web page cannot be"):
        assert sentence in ran.stdout
    (tmp_path / "a.bib").write_text("@online{w, title={How to fly a kite in the wind}, url={kites.org}}\n")
    ran = spar(tmp_path, "check", str(tmp_path / "a.bib"), more=services.environment)
    assert ran.returncode == 1
    assert "Incomplete (1)" in ran.stdout


def test_an_entry_of_a_title_alone_and_one_of_a_name_alone_are_no_reason_to_ask_in_vain(
    services: Services, tmp_path: Path
) -> None:
    (tmp_path / "a.bib").write_text(
        "@book{b, title={Introduction}}\n@article{n, author={Nobody, No}, doi={10.5555/no}}\n"
    )
    ran = spar(tmp_path, "check", str(tmp_path / "a.bib"), "--json", more=services.environment)
    told = {one["key"]: one for one in json.loads(ran.stdout)["entries"]}
    assert told["b"]["verdict"] == "incomplete"
    assert told["n"]["verdict"] == "not found"
    assert not [request.target for request in services.log if "untitled" in request.target.lower()]


def test_the_registry_of_dois_knows_what_was_registered_and_denies_nothing(services: Services, tmp_path: Path) -> None:
    """Several registries give DOIs away: that one of them does not know a data set proves nothing."""
    works = [one for one in services.corpus.works if one.doi and not one.arxiv and one.year and one.venue]
    good = next(one for one in works if not one.retracted and one.number % 11 and one.authors and one.date)
    gone = next(one for one in works if one.retracted)
    (tmp_path / "a.bib").write_text(
        bib("good", good) + bib("gone", gone) + "@misc{data, author={Nobody, No}, year=2020, "
        "title={Measurements of everything in the cellar of our institute}, doi={10.5281/zenodo.1234567}}\n"
    )
    asked = ("check", str(tmp_path / "a.bib"), "--json", "--source", "crossref", "--source", "openalex")
    services.add_fault(Fault("500", "openalex"))
    told = {one["key"]: one for one in json.loads(spar(tmp_path, *asked, more=services.environment).stdout)["entries"]}
    services.clear_faults()
    assert (told["good"]["verdict"], told["gone"]["verdict"]) == ("ok", "retracted")
    told = {one["key"]: one for one in json.loads(spar(tmp_path, *asked, more=services.environment).stdout)["entries"]}
    assert told["data"]["verdict"] == "could not check"
    assert "Crossref, OpenAlex; it may exist all the same" in told["data"]["details"][0]


def test_a_preprint_is_told_where_it_appeared_by_a_source_that_has_the_two_apart(
    services: Services, tmp_path: Path
) -> None:
    """With the DOI, and one search for each entry."""
    works = {one.number: one for one in services.corpus.works}
    pairs = [(works[one.preprint], one) for one in works.values() if one.preprint]
    same = [(preprint, paper) for preprint, paper in pairs if preprint.title == paper.title][:4]
    (tmp_path / "a.bib").write_text(
        "".join(
            bib(f"k{paper.number}", preprint, doi=None, journal=f"arXiv preprint arXiv:{preprint.arxiv}")
            for preprint, paper in same
        )
    )
    before = len(services.log)
    ran = spar(tmp_path, "check", str(tmp_path / "a.bib"), "--json", "--source", "openalex", more=services.environment)
    told = {one["key"]: one for one in json.loads(ran.stdout)["entries"]}
    for _, paper in same:
        one = told[f"k{paper.number}"]
        assert one["verdict"] == "published since", one
        assert f"doi:{paper.doi}; cite that one if it is the same" in one["details"][0]
    assert len(services.log) - before <= len(same) + 1


def test_without_a_network_nothing_is_called_wrong(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("@article{x, author={A, B}, title={T}, journal={J}, year=2020, doi={10.1000/x}}")
    for flags in ((), ("--offline",)):
        ran = spar(tmp_path, "check", str(tmp_path / "a.bib"), *flags)
        assert ran.returncode == 4
        assert "1 reference: 1 cannot tell." in ran.stdout
        assert "not found anywhere" not in ran.stdout.lower()


def test_a_source_that_fails_leaves_the_judgement_to_the_others(tmp_path: Path) -> None:
    with Services(rules=False, faults=[Fault("500", "semantic_scholar")]) as services:
        work = next(one for one in services.corpus.works if one.doi and one.openalex and one.venue and one.year)
        (tmp_path / "a.bib").write_text(
            bib("right", work) + bib("invented", work, doi="10.5555/no", title="Not there at all, ever")
        )
        ran = spar(tmp_path, "check", str(tmp_path / "a.bib"), "--json", more=services.environment)
    verdicts = {one["key"]: one["verdict"] for one in json.loads(ran.stdout)["entries"]}
    assert verdicts["right"] in ("ok", "published since", "incomplete")
    assert verdicts["invented"] == "could not check"


def test_a_good_file_is_praised_by_its_exit_code(services: Services, tmp_path: Path) -> None:
    (tmp_path / "empty.bib").write_text("% nothing yet\n")
    assert spar(tmp_path, "check", str(tmp_path / "empty.bib"), more=services.environment).returncode in (0, 2)


@pytest.mark.parametrize("name", ["nowhere.bib", "."])
def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(name: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "check", str(tmp_path / name))
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr


@pytest.fixture
def faulty(services: Services, tmp_path: Path) -> Path:
    """A file with a wrong year, a retracted paper, two entries of one work, and an invented entry."""
    plain = sound(services)
    gone = next(one for one in services.corpus.works if one.retracted and one.openalex and one.doi)
    entries = [
        "% kept as it is\n",
        bib("wrongyear", plain[1], year="1901"),
        bib("gone", gone, title=re.sub("(?i)retracted:? ?", "", gone.title)),
        bib("right", plain[0]),
        INVENTED,
        bib("again", plain[0]),
    ]
    file = tmp_path / "my refs.bib"
    file.write_text("\n".join(entries))
    return file


def fixed(services: Services, file: Path, *flags: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    name = str(file) if not stdin else "-"
    return spar(file.parent / "home", "check", name, "--fix", *flags, more=services.environment, stdin=stdin)


@pytest.mark.parametrize("command", [["patch", "-p0", "-i"], ["git", "apply", "-p0"]])
def test_the_patch_is_taken_by_patch_and_by_git_and_the_original_is_never_touched(
    command: list[str], services: Services, faulty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    before = faulty.read_bytes()
    monkeypatch.chdir(faulty.parent)
    ran = fixed(services, faulty)
    assert faulty.read_bytes() == before
    whole = fixed(services, faulty, "-o", "new.bib")
    assert whole.returncode == ran.returncode == 1  # the invented entry is left
    assert faulty.read_bytes() == before
    (faulty.parent / "fix.diff").write_text(ran.stdout)
    subprocess.run([*command, "fix.diff"], check=True, capture_output=True)
    mended = faulty.read_text()
    assert mended == (faulty.parent / "new.bib").read_text()
    assert "year = {1901}" not in mended
    assert "note = {Retracted}" in mended
    assert "ids = {again}" in mended
    assert "@article{again" not in mended
    assert mended.startswith("% kept as it is\n")
    assert INVENTED in mended
    checked = spar(faulty.parent / "home", "check", str(faulty), "--json", more=services.environment)
    verdicts = {one["key"]: one["verdict"] for one in json.loads(checked.stdout)["entries"]}
    assert verdicts["wrongyear"] == verdicts["right"] == "ok"


def test_each_change_is_told_with_its_source_and_the_identifier_there(services: Services, faulty: Path) -> None:
    year = sound(services)[1]
    told = [line for line in fixed(services, faulty).stdout.splitlines() if line.startswith("# ")]
    [change] = [line for line in told if " wrongyear: " in line]
    assert f"year becomes {year.year}" in change
    assert "Semantic Scholar" in change
    assert change.endswith(f" of doi:{year.doi}")
    assert any(" gone: note becomes Retracted" in line and "OpenAlex" in line for line in told)
    assert not any("invented" in line for line in told)
    fixes = json.loads(fixed(services, faulty, "--json").stdout)["fixes"]
    assert {one["key"] for one in fixes["changes"]} == {"wrongyear", "gone", "again"}
    assert "--- " in fixes["patch"]


def test_standard_input_is_checked_and_mended(services: Services, faulty: Path) -> None:
    (faulty.parent / "new.bib").write_text("old")
    ran = fixed(services, faulty, "-o", str(faulty.parent / "new.bib"), stdin=faulty.read_text())
    assert "standard input:3 wrongyear: year becomes" in ran.stdout
    assert "note = {Retracted}" in (faulty.parent / "new.bib").read_text()
    plain = spar(faulty.parent, "check", "-", "--json", more=services.environment, stdin=faulty.read_text())
    assert {one["key"]: one["verdict"] for one in json.loads(plain.stdout)["entries"]}["gone"] == "retracted"


def test_what_cannot_be_mended_is_named_as_without_fix(services: Services, faulty: Path) -> None:
    ran = fixed(services, faulty)
    plain = spar(faulty.parent / "home", "check", str(faulty), "--json", more=services.environment)
    wrong = {one["key"]: one["verdict"] for one in json.loads(plain.stdout)["entries"] if one["verdict"] != "ok"}
    said = {line.split(": ")[2].split()[-1] for line in ran.stderr.splitlines() if line.startswith("spar: not fixed: ")}
    changed = {key for key in wrong if f"{key}:" in ran.stdout or f" {key}: " in ran.stderr}
    assert said
    assert set(wrong) == changed | said
    assert f"; {len(said)} that cannot be fixed here" in ran.stderr
    assert all(f" {key}: {wrong[key]}" in ran.stderr for key in said)


def test_a_sound_file_has_an_empty_patch(services: Services, tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text(bib("right", sound(services)[0]))
    ran = fixed(services, tmp_path / "a.bib")
    assert (ran.returncode, ran.stdout) == (0, "")
    assert "nothing changed" in ran.stderr


@pytest.mark.parametrize("flags", [(), ("--fix",)])
def test_a_file_that_changes_while_it_is_checked_is_noticed(flags: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "a.bib"

    def change(request: object) -> None:
        if file.read_text().startswith("@"):
            file.write_text("% somebody was here\n" + file.read_text())

    with Services(rules=False, told=change) as services:
        file.write_text(bib("wrongyear", sound(services)[1], year="1901"))
        ran = spar(tmp_path, "check", str(file), *flags, more=services.environment)
    assert "changed" in ran.stderr
    assert "while it was checked" in ran.stderr
    if flags:
        assert (ran.returncode, ran.stdout) == (1, "")


@pytest.mark.parametrize(
    ("name", "text", "flags", "said"),
    [
        ("a.ris", "TY  - JOUR\nTI  - T\nER  - \n", ("--fix",), "BibTeX and BibLaTeX files only"),
        ("a.bib", "@article{a, title={T}}\n", ("--fix", "-o", "{file}"), "never changes it"),
        ("a.bib", "@article{a, title={T}}\n", ("-o", "x.diff"), "needs --fix"),
    ],
)
def test_what_cannot_be_mended_is_refused_with_a_sentence(
    name: str, text: str, flags: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    given = [flag.format(file=tmp_path / name) for flag in flags]
    ran = spar(tmp_path, "check", str(tmp_path / name), "--offline", *given)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert (tmp_path / name).read_text() == text


def test_check_and_the_papers_page_name_the_notice_of_a_retraction(services: Services, tmp_path: Path) -> None:
    gone = next(one for one in services.corpus.works if one.retracted and one.doi)
    file = tmp_path / "refs.bib"
    file.write_text(bib("gone", gone), encoding="utf-8")
    notice = f"doi:{(gone.doi or '').lower()}.notice"
    more = services.environment
    assert f"(notice: {notice})." in spar(tmp_path, "check", str(file), "--source", "crossref", more=more).stdout
    shown = spar(tmp_path, "show", gone.doi or "", more=more)
    assert "retracted by" in shown.stdout
    assert notice in shown.stdout
    kept = json.loads(spar(tmp_path, "show", gone.doi or "", "--offline", "--json").stdout)
    assert json.dumps(kept).count(f'"retraction_notice": "{notice.removeprefix("doi:")}"') == 1


def test_a_list_of_identifiers_is_checked_for_what_they_name(services: Services, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text(f"{sound(services)[0].doi}\n10.5555/never.was\n")
    ran = spar(tmp_path, "check", str(tmp_path / "ids.txt"), "--json", more=services.environment)
    told = [entry["verdict"] for entry in json.loads(ran.stdout)["entries"]]
    assert told == ["ok", "not found"]
    fixed = spar(tmp_path, "check", str(tmp_path / "ids.txt"), "--offline", "--fix")
    assert (fixed.returncode, fixed.stderr) == (2, "spar: --fix works for BibTeX and BibLaTeX files only.\n")


def test_a_field_that_is_wrong_is_told_with_yours_theirs_source_and_link(services: Services, tmp_path: Path) -> None:
    work = sound(services)[1]
    (tmp_path / "a.bib").write_text(bib("wrong", work, year="1901", journal="Journal of Steam and Optimization"))
    ran = spar(tmp_path, "check", str(tmp_path / "a.bib"), "--json", more=services.environment)
    [entry] = json.loads(ran.stdout)["entries"]
    differences = {one["field"]: one for one in entry["differences"]}
    assert (entry["verdict"], entry["outcome"]) == ("fields differ", "described wrongly")
    assert (differences["year"]["yours"], differences["year"]["theirs"]) == ("1901", str(work.year))
    assert (differences["venue"]["yours"], differences["venue"]["theirs"]) == (
        "Journal of Steam and Optimization", work.venue,
    )  # fmt: skip
    assert {one["link"] for one in differences.values()} == {f"https://doi.org/{(work.doi or '').lower()}"}
    assert all(one["source"] for one in differences.values())
    assert entry["asked"]["OpenAlex"] == "has a record"


def test_what_is_not_found_is_told_with_who_was_asked_and_the_nearest_record(
    services: Services, tmp_path: Path
) -> None:
    work = next(one for one in sound(services) if len(one.title.split()) > 5)
    title = " ".join(work.title.split()[:-2]) + " and Sundry Matters"
    (tmp_path / "a.bib").write_text(bib("x", work, title=title, doi=None, author="Nobody, No"))
    ran = spar(tmp_path, "check", str(tmp_path / "a.bib"), "--json", more=services.environment)
    [entry] = json.loads(ran.stdout)["entries"]
    assert (entry["verdict"], entry["outcome"]) == ("not found", "not found")
    assert entry["asked"]["OpenAlex"] == entry["asked"]["Semantic Scholar"] == "does not know it"
    assert entry["nearest"]["title"].lower() == work.title.lower()
    assert {"title", "author"} <= set(entry["nearest"]["differs_in"])


def test_a_reference_that_agrees_costs_no_search_at_a_second_source(services: Services, tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("".join(bib(f"k{one.number}", one, doi=None) for one in sound(services)))
    before = len(services.log)
    ran = spar(tmp_path, "check", str(tmp_path / "a.bib"), "--json", more=services.environment)
    assert {one["verdict"] for one in json.loads(ran.stdout)["entries"]} == {"ok"}
    assert [request.service for request in services.log[before:]] == ["openalex"] * len(sound(services))


def test_the_report_is_written_in_the_forms_that_are_asked_for(services: Services, tmp_path: Path) -> None:
    hostile = INVENTED.replace("nothing}", "<script>alert(1)</script> [x](y)}")
    (tmp_path / "a.bib").write_text(bib("right", sound(services)[0]) + hostile)
    files = {form: tmp_path / f"report.{form}" for form in ("html", "markdown", "sarif")}
    flags = [word for form, file in files.items() for word in (f"--{form}", str(file))]
    ran = spar(tmp_path, "check", str(tmp_path / "a.bib"), *flags, more=services.environment)
    assert ran.returncode == 1
    page, text = files["html"].read_text(), files["markdown"].read_text()
    assert "<script" not in page
    assert "<script" not in text
    assert "[x](y)" not in text
    assert all("2 references: 1 not found anywhere, 1 as described." in told for told in (ran.stdout, page, text))
    run = json.loads(files["sarif"].read_text())["runs"][0]
    [result] = run["results"]
    assert (result["ruleId"], result["level"]) == ("not-found", "error")
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] > 1
    assert result["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}


def test_a_report_never_takes_the_place_of_the_file_that_is_checked(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text(INVENTED)
    ran = spar(tmp_path, "check", str(tmp_path / "a.bib"), "--offline", "--html", str(tmp_path / "a.bib"))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert (tmp_path / "a.bib").read_text() == INVENTED


def test_a_policy_says_how_grave_a_finding_is_and_only_its_errors_fail(services: Services, tmp_path: Path) -> None:
    file, sarif = tmp_path / "refs.bib", tmp_path / "refs.sarif"
    plain = sound(services)

    def graded(text: str, policy: str) -> tuple[int, set[tuple[str, str]]]:
        file.write_text(text + "".join(bib(f"k{one.number}", one) for one in plain[1:]))
        flags = ("--policy", policy) if policy else ()
        ran = spar(tmp_path, "check", str(file), "--json", "--sarif", str(sarif), *flags, more=services.environment)
        told = json.loads(ran.stdout)
        levels = {(one["verdict"], one["level"]) for one in told["entries"] if one["level"]}
        results = json.loads(sarif.read_text())["runs"][0]["results"]
        assert {(one["ruleId"].replace("-", " "), one["level"]) for one in results} == levels
        assert told["policy"] == (policy or None)
        return ran.returncode, levels

    wrong = bib("wrongyear", plain[0], year="1901")
    assert graded(wrong, "") == (1, {("fields differ", "error")})
    assert graded(wrong, "neurips") == (1, {("fields differ", "error")})
    assert graded(wrong, "iclr") == (0, {("fields differ", "warning")})
    assert graded(wrong, "icml") == (0, {("fields differ", "warning")})
    assert graded(INVENTED, "lenient") == (1, {("not found", "error")})
    assert graded(INVENTED, "icml") == (1, {("not found", "error")})
    assert graded(bib("again", plain[1]), "acl") == (0, {("duplicate", "note")})
    text = spar(tmp_path, "check", str(file), "--policy", "iclr", more=services.environment).stdout
    assert "There twice (1, note)" in text


def test_a_policy_that_nobody_published_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(INVENTED)
    ran = spar(tmp_path, "check", str(tmp_path / "refs.bib"), "--policy", "cvpr", "--offline")
    assert ran.returncode == 2
    assert "unknown policy 'cvpr'; choose from lenient, neurips, iclr, icml, acl" in ran.stderr


def test_every_report_tells_how_probable_it_is_that_a_reference_is_wrong(services: Services, tmp_path: Path) -> None:
    file = tmp_path / "refs.bib"
    file.write_text(INVENTED + "".join(bib(f"k{one.number}", one) for one in sound(services)))
    forms = {form: tmp_path / f"report.{form}" for form in ("html", "markdown", "sarif")}
    flags = [word for form, report in forms.items() for word in (f"--{form}", str(report))]
    told = json.loads(spar(tmp_path, "check", str(file), "--json", *flags, more=services.environment).stdout)
    invented, *others = told["entries"]
    assert (invented["verdict"], invented["evidence"]) == ("not found", "no record")
    assert all(one["probability"] < 0.1 < 0.5 < invented["probability"] for one in others)
    text = f"{invented['probability']:.0%} likely wrong"
    assert f"<em>{text}</em>" in forms["html"].read_text()
    assert f"({text})" in forms["markdown"].read_text()
    [result] = json.loads(forms["sarif"].read_text())["runs"][0]["results"]
    assert result["properties"] == {"probabilityWrong": invented["probability"]}
    assert text in spar(tmp_path, "check", str(file), more=services.environment).stdout
