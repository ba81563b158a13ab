"""`spar check --accept`: a finding is told no more, for a reason that stands beside the file."""

import json
from pathlib import Path
from shutil import copytree

import pytest

from tests.services import Services
from tests.spar_tui.cli.verbs.test_check import INVENTED, bib, sound
from tests.spar_tui.in_process import spar

pytestmark = pytest.mark.usefixtures("quick_pace")
REASON = "an <b>internal</b> report"


@pytest.fixture(scope="module")
def checked(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("checked")
    file = home / "refs.bib"
    file.write_text(INVENTED + "".join(bib(f"k{one.number}", one) for one in sound(services)))
    assert spar(home, "check", str(file), more=services.environment).returncode == 1
    return home


@pytest.fixture
def file(checked: Path, tmp_path: Path) -> Path:
    """A bibliography that was checked."""
    return copytree(checked, tmp_path, dirs_exist_ok=True) / "refs.bib"


def test_an_accepted_finding_is_silent_and_counted_and_nothing_is_asked(services: Services, file: Path) -> None:
    before, home = len(services.log), file.parent
    ran = spar(home, "check", str(file), "--accept", "invented", "--reason", REASON, more=services.environment)
    assert (ran.returncode, ran.stdout) == (0, "refs.bib:1 invented: accepted as not found anywhere\n")
    assert "refs.bib.accepted.toml" in ran.stderr
    assert len(services.log) == before

    ran = spar(home, "check", str(file), more=services.environment)
    assert (ran.returncode, ran.stdout) == (0, "5 references: 1 accepted, 4 as described.\n")
    listed = spar(home, "check", str(file), "--all", more=services.environment).stdout
    assert f"Accepted as not found: {REASON}." in listed


def test_every_report_has_what_is_accepted_with_its_reason(services: Services, file: Path) -> None:
    home = file.parent
    assert not spar(
        home, "check", str(file), "--accept", "invented", "--reason", REASON, more=services.environment
    ).returncode
    forms = {form: home / f"report.{form}" for form in ("html", "markdown", "sarif")}
    flags = [word for form, report in forms.items() for word in (f"--{form}", str(report))]
    told = json.loads(spar(home, "check", str(file), "--json", *flags, more=services.environment).stdout)
    [accepted] = told["accepted"]
    assert (accepted["key"], accepted["finding"], accepted["reason"]) == ("invented", "not found", REASON)
    assert told["counts"] == {"accepted": 1, "ok": 4}
    assert "&lt;b&gt;internal" in forms["html"].read_text()
    assert "Accepted as not found" in forms["markdown"].read_text()
    [result] = json.loads(forms["sarif"].read_text())["runs"][0]["results"]
    assert result["ruleId"] == "not-found"
    assert result["suppressions"] == [{"kind": "external", "justification": REASON}]


def test_a_changed_entry_is_told_again(services: Services, file: Path) -> None:
    home = file.parent
    asked = ("check", str(file), "--accept", "invented", "--reason", REASON)
    assert spar(home, *asked, more=services.environment).returncode == 0
    file.write_text(file.read_text().replace("Nobody, No", "Noone, Nora"))
    ran = spar(home, "check", str(file), more=services.environment)
    assert ran.returncode == 1
    assert "1 not found anywhere" in ran.stdout


def test_an_accepted_difference_is_not_mended(services: Services, tmp_path: Path) -> None:
    file = tmp_path / "a.bib"
    file.write_text(bib("wrong", sound(services)[1], year="1901"))
    assert "-  year" in spar(tmp_path, "check", str(file), "--fix", more=services.environment).stdout
    ran = spar(tmp_path, "check", str(file), "--accept", "wrong", "--reason", "reprint", more=services.environment)
    assert ran.stdout == "a.bib:1 wrong: accepted as described wrongly (year)\n"
    fixed = spar(tmp_path, "check", str(file), "--fix", more=services.environment)
    assert (fixed.returncode, fixed.stdout) == (0, "")
    assert fixed.stderr == "nothing changed; a.bib is unchanged\n"


def test_a_damaged_file_hides_nothing_and_is_left(services: Services, file: Path) -> None:
    kept = file.with_name("refs.bib.accepted.toml")
    kept.write_text("[[accepted]\n")
    asked = ("check", str(file))
    ran = spar(file.parent, *asked, more=services.environment)
    assert ran.returncode == 1
    assert "refs.bib.accepted.toml cannot be understood" in ran.stderr
    ran = spar(file.parent, *asked, "--accept", "invented", "--reason", REASON, more=services.environment)
    assert ran.returncode == 1
    assert kept.read_text() == "[[accepted]\n"


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--accept", "invented"), "go together"), (("--reason", "x"), "--reason needs --accept"),
        (("--accept", "invented", "--reason", " "), "go together"),
        (("--accept", "invented", "--reason", "x", "--html", "a.html"), "leave out --fix"),
        (("--accept", "nobody", "--reason", "x"), "no entry nobody"),
        (("--accept", "broken", "--reason", "x"), "cannot be read"),
        (("--accept", "invented", "--reason", "x"), "are not stored"),
    ],
)  # fmt: skip
def test_what_cannot_be_accepted_is_refused_with_a_sentence(
    services: Services, flags: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.bib"
    file.write_text(INVENTED + "@article{broken, title={No end")
    before = len(services.log)
    ran = spar(tmp_path, "check", str(file), *flags, more=services.environment)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert len(services.log) == before
    assert [one.name for one in tmp_path.glob("*.toml")] == []


def test_a_reference_without_a_key_is_accepted_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("References\n\n[1] A. Roe. On the tides of the northern sea. Journal of Seas, 2019.\n")
    told = json.loads(spar(tmp_path, "check", str(file), "--offline", "--json").stdout)["entries"]
    line = next(str(one["line"]) for one in told if not one["key"])
    assert spar(tmp_path, "check", str(file), "--offline", "--accept", line, "--reason", "seen").returncode == 0
    assert spar(tmp_path, "check", str(file), "--offline").returncode == 0


def test_another_finding_on_an_accepted_entry_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "a.bib"
    file.write_text("@article{k, title={On the tides}, author={Roe, Ann}, year=2999}\n")
    asked = ("check", str(file), "--offline")
    assert "(year)" in spar(tmp_path, *asked, "--accept", "k", "--reason", "in press").stdout
    ran = spar(tmp_path, *asked)
    assert ran.returncode == 1
    assert ran.stdout.startswith("1 reference: 1 incomplete; 1 of them with another finding accepted.\n")
