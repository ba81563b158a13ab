"""What is said of keys: whether there is one and where it comes from, never the key."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from connectors.registry import SOURCES
from spar_tui.health.sources import key_status, model_key_status
from spar_tui.settings import Settings, load_settings


def of(home: Path, **environment: str) -> Settings:
    return load_settings({"SPAR_HOME": str(home), **environment})


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A keyring of the system, whatever is installed here."""
    held: dict[str, str] = {}
    package, errors = ModuleType("keyring"), ModuleType("keyring.errors")
    package.get_password = lambda service, name: held.get(name)  # type: ignore[attr-defined]
    errors.KeyringError = OSError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", package)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    return held


def test_a_key_is_said_to_come_from_where_it_comes(tmp_path: Path, keyring: dict[str, str]) -> None:
    keyring["OPENALEX_API_KEY"] = keyring["OPENAI_API_KEY"] = "CANARY"
    found = of(tmp_path, S2_API_KEY="CANARY")
    told = {name: key_status(spec, found) for name, spec in SOURCES.items()} | {"model": model_key_status(found)}
    assert told["openalex"] == "Key from OPENALEX_API_KEY in the system's keyring."
    assert told["semanticscholar"] == "Key from S2_API_KEY."
    assert told["pubmed"] == "No key (NCBI_API_KEY is not set)."
    assert told["arxiv"] == "It needs no key."
    assert told["model"] == "Key from OPENAI_API_KEY in the system's keyring."
    assert "CANARY" not in str(told)


def test_the_environment_goes_before_the_keyring(tmp_path: Path, keyring: dict[str, str]) -> None:
    keyring["OPENALEX_API_KEY"] = "other"
    assert key_status(SOURCES["openalex"], of(tmp_path, OPENALEX_API_KEY="k")) == "Key from OPENALEX_API_KEY."


def test_a_source_that_is_off_without_a_key_names_every_key_that_would_do(tmp_path: Path) -> None:
    told = key_status(SOURCES["google"], of(tmp_path))
    assert told == "No key, so it is off; set SERPER_API_KEY or SERPAPI_API_KEY."
    assert key_status(SOURCES["google"], of(tmp_path, SERPAPI_API_KEY="k")) == "Key from SERPAPI_API_KEY."
