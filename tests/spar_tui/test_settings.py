"""Where settings come from, and what becomes of bad ones."""

from pathlib import Path

import pytest

from connectors.http.secret import HIDDEN
from connectors.registry import SOURCES
from spar_tui.errors import SettingsError
from spar_tui.settings import Preferences, Settings, load_settings, with_preference


def settings(home: Path, toml: str | bytes | None = None, **environment: str) -> Settings:
    if toml is not None:
        (home / "config.toml").write_bytes(toml if isinstance(toml, bytes) else toml.encode())
    return load_settings({"SPAR_HOME": str(home), **environment})


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert settings(tmp_path).preferences == Preferences()
    assert settings(tmp_path).warnings == ()


def test_spar_home_holds_settings_and_database(tmp_path: Path) -> None:
    places = settings(tmp_path).places
    assert all(tmp_path in path.parents for path in (places.config, places.database))


def test_what_services_are_owed_is_kept_in_one_place_for_all_homes(tmp_path: Path) -> None:
    one, other = settings(tmp_path / "one").places, settings(tmp_path / "other").places
    assert one.gates == other.gates == load_settings({}).places.gates
    assert tmp_path not in one.gates.parents
    assert settings(tmp_path, SPAR_MANNERS=str(tmp_path / "shared")).places.gates == tmp_path / "shared" / "gates"


def test_the_file_changes_what_it_names(tmp_path: Path) -> None:
    found = settings(tmp_path, 'sources = ["arxiv"]\nlimit = 5\nsource_seconds = 3').preferences
    assert (found.sources, found.limit, found.source_seconds) == (("arxiv",), 5, 3.0)


@pytest.mark.parametrize(
    ("toml", "named"), [("limit = \n", "line 1"), ("a = 1\nb = [1,\n", "line"), (b"\xff\xfe\x00", "utf-8")]
)
def test_a_broken_file_is_named_with_its_line_and_left_alone(toml: str | bytes, named: str, tmp_path: Path) -> None:
    found = settings(tmp_path, toml)
    (warning,) = found.warnings
    assert "config.toml" in warning
    assert named in warning
    assert found.preferences == Preferences()
    assert (tmp_path / "config.toml").read_bytes() == (toml if isinstance(toml, bytes) else toml.encode())


@pytest.mark.parametrize(
    ("toml", "named"),
    [
        ("limits = 5", "limits"),
        ('limit = "five"', "whole number"),
        ("limit = true", "whole number"),
        ("limit = 0", "1 to 1000"),
        ('sources = ["scopus"]', "scopus"),
        ("sources = [1]", "list of names"),
        ('offline = "yes"', "true or false"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_and_the_others_hold(toml: str, named: str, tmp_path: Path) -> None:
    found = settings(tmp_path, f"source_seconds = 4\n{toml}")
    assert any(named in warning for warning in found.warnings)
    assert found.preferences == with_preference(Preferences(), "source_seconds", 4)


def test_a_config_that_is_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()
    assert "cannot be read" in settings(tmp_path).warnings[0]


def test_an_empty_or_blank_key_is_no_key(tmp_path: Path) -> None:
    assert settings(tmp_path, None, S2_API_KEY="", OPENALEX_API_KEY="   ").access.keys == {}


def test_a_key_that_cannot_be_one_is_named_and_not_shown(tmp_path: Path) -> None:
    found = settings(tmp_path, None, S2_API_KEY="clé secrète")
    assert found.access.keys == {}
    assert "S2_API_KEY" in found.warnings[0]
    assert "secr" not in found.warnings[0]


def test_a_key_does_not_print_itself(tmp_path: Path) -> None:
    found = settings(tmp_path, None, S2_API_KEY="s2-secret")
    assert found.access.keys["semanticscholar"].reveal() == "s2-secret"
    assert "s2-secret" not in repr(found)
    assert HIDDEN in repr(found)


def test_an_address_that_is_none_is_named(tmp_path: Path) -> None:
    found = settings(tmp_path, None, SPAR_ARXIV_URL="file:///etc/passwd", SPAR_PUBMED_URL="http://localhost:9/")
    assert found.access.urls == {"pubmed": "http://localhost:9"}
    assert "SPAR_ARXIV_URL" in found.warnings[0]


def test_every_preference_says_what_it_is_for() -> None:
    from dataclasses import fields

    assert all(one.metadata["says"] for one in fields(Preferences))
    assert Preferences().sources == (*(name for name in SOURCES if name != "dblp"), "corpus")


def test_sources_that_no_question_is_asked_are_named_in_the_setting() -> None:
    says = Preferences.__dataclass_fields__["sources"].metadata["says"]
    assert "datacite only looks up DOIs, for check, lint and lsp" in says


def test_an_unknown_preference_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="limit"):
        with_preference(Preferences(), "limt", 3)
