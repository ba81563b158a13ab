"""Locations and the person's settings; precedence: flag, environment, config.toml, default. Keys come from the
environment or the system's keyring, never from a flag or the file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from agents.llm.config import MOST_AT_ONCE, ModelConfig
from cache.corpus.place import CORPUS, exists, is_remote
from cache.paths import expanded
from connectors.http.secret import Secret
from connectors.records.web_address import web_address
from connectors.registry import LOCATORS, SOURCES, asked_unless_left_out, is_searchable
from connectors.spec import Access
from spar_tui.errors import SettingsError


def key_variables() -> dict[str, str]:
    """Return the environment variables of keys, by service, the language model last."""
    services = (service for spec in SOURCES.values() for service in spec.services if service.key_variable)
    return {service.name: service.key_variable for service in services} | {"model": "OPENAI_API_KEY"}


def url_variables() -> dict[str, str]:
    """Return the environment variables of addresses, by source, the language model last."""
    specs = (*SOURCES.values(), *LOCATORS.values())
    return {spec.name: spec.url_variable for spec in specs} | {"model": "OPENAI_BASE_URL"}


def _setting(default: Any, says: str, *, choices: Sequence[str] = (), within: tuple[float, float] | None = None) -> Any:
    """Return a field of `Preferences`: its default, its documentation, and the values that it can have."""
    return field(default=default, metadata={"says": says, "choices": tuple(choices), "within": within})


@dataclass(frozen=True, slots=True)
class Preferences:
    """The settings of `config.toml`; the `says` of each is its documentation."""

    sources: tuple[str, ...] = field(
        default_factory=lambda: (*asked_unless_left_out(), CORPUS),
        metadata={
            "says": "the live sources in use, and the corpus where there is one; "
            f"{', '.join(name for name in SOURCES if not is_searchable(name))} only looks up DOIs, for check, lint "
            "and lsp"
        },
    )
    limit: int = _setting(20, "how many papers a command lists (1 to 1000); the app lists all", within=(1, 1000))
    source_seconds: float = _setting(10.0, "how long a search waits for a source (1 to 600)", within=(1, 600))
    offline: bool = _setting(False, "never use the network: library, starter shelf and a model on this machine only")
    ncbi_email: str = _setting(
        "", "your mail address, which NCBI, Crossref and Unpaywall ask for; sent only to them; none if empty"
    )
    corpus: str = _setting(
        "",
        "where `spar corpus build` puts the corpus: a folder, or `s3://bucket/folder`; needs the extra `corpus`; a "
        "folder beside the database if empty; SPAR_CORPUS overrides it",
    )
    mode: str = _setting("fast", "how thoroughly a search looks: fast or deep", choices=("fast", "deep"))
    model: str = _setting("", "the language model's name; SPAR_MODEL in the environment overrides it")
    model_url: str = _setting(
        "", "the address of its OpenAI-compatible API, usually ending in /v1; OPENAI_BASE_URL overrides it"
    )
    embedding_model: str = _setting(
        "",
        "a model at the same address for text vectors, which compare meanings; none if empty; SPAR_EMBEDDING_MODEL "
        "overrides it",
    )
    semantic_folder: str = _setting(
        "",
        "the folder of a small model (`model.onnx`, `tokenizer.json`) that compares meanings on this machine; needs "
        "the extra `semantic`; used instead of one at an address; none if empty; SPAR_SEMANTIC_FOLDER overrides it",
    )
    model_seconds: float = _setting(
        60.0,
        "how long the model may take to answer (1 to 3600); three times that for a long answer of a slow model",
        within=(1, 3600),
    )
    model_at_once: int = _setting(
        MOST_AT_ONCE,
        "most requests to the model at once (1 to 64); spar sends fewer if more are slower; use 1 for a server that "
        "answers one at a time",
        within=(1, 64),
    )
    input_price: float | None = _setting(
        None,
        "USD per million tokens the model reads, 0 for a free one; for estimates if the endpoint does not report "
        "costs; unset: unknown",
        within=(0, 100_000),
    )
    output_price: float | None = _setting(
        None, "USD per million tokens the model writes, 0 for a free one; unset: unknown", within=(0, 100_000)
    )
    judge_prompt: str = _setting(
        "brief", "how the model is asked about a paper's relevance: brief or complex", choices=("brief", "complex")
    )
    theme: str = _setting(
        "dark",
        "the app's colors: dark, light, or terminal for your terminal's own colors",
        choices=("dark", "light", "terminal"),
    )
    shelf_columns: tuple[str, ...] = _setting(
        ("rating", "title", "author", "year", "tags", "venue", "citations"),
        "the columns of the shelf in the app, in their order: rating, title, author, year, tags, venue, citations, "
        "key, pdf, read, saved or found; columns without room beside the title are left out",
    )
    export_format: str = _setting(
        "biblatex",
        "the format of exports and copied entries in the app; your last choice is remembered",
        choices=("bibtex", "biblatex", "ris", "csl-json", "markdown", "csv", "text"),
    )
    calm: str = _setting(
        "auto",
        "no animation and few redraws in the app: on, off, or auto (on over ssh and with NO_COLOR)",
        choices=("auto", "on", "off"),
    )
    signs: str = _setting(
        "auto",
        "how the app draws frames and signs such as ★: unicode, ascii, or auto (ascii on a console or encoding without "
        "them)",
        choices=("auto", "unicode", "ascii"),
    )

    def problem(self, name: str) -> str | None:
        """Return why the value of `name` is invalid; None if it is valid."""
        value, metadata = getattr(self, name), Preferences.__dataclass_fields__[name].metadata
        if (choices := choices_of(name)) and value not in choices:
            return f"must be {', '.join(choices[:-1])} or {choices[-1]}"
        if value is not None and (within := metadata.get("within")) and not within[0] <= value <= within[1]:
            return f"must be from {within[0]} to {within[1]}"
        match name:
            case "sources":
                return _unlisted("source", value, (*SOURCES, CORPUS))
            case "shelf_columns":
                from cache.conditions.orders import OF_SHELF

                return _unlisted("column", value, tuple(OF_SHELF))
            case "ncbi_email":
                return None if not value or ("@" in value and value.isprintable()) else "must be a mail address"
            case "model" | "embedding_model":
                return None if value.isprintable() else "must be a name"
            case "semantic_folder" | "corpus":
                return None if value.isprintable() else "must be a folder"
            case "model_url":
                return None if not value or web_address(value) else "must be an http(s) address"
        return None


def _unlisted(noun: str, names: Sequence[str], allowed: Sequence[str]) -> str | None:
    wrong = [name for name in names if name not in allowed]
    return f"unknown {noun} {wrong[0]!r}; choose from {', '.join(allowed)}" if wrong else None


def choices_of(name: str) -> tuple[str, ...]:
    """Return the values that the preference `name` can have; () if any."""
    setting = Preferences.__dataclass_fields__.get(name)
    return setting.metadata.get("choices", ()) if setting else ()


@dataclass(frozen=True, slots=True)
class Places:
    """The files and folders of one person's workspace; `log` is the program's log, `gates` a folder shared by all of
    the person's workspaces.

    Rate limits do not depend on where papers are stored: in `gates` all processes record how often each service may be
    asked and until when it wants a pause.
    """

    config: Path
    database: Path
    gates: Path
    log: Path

    @property
    def locks(self) -> Path:
        """The folder in which processes record the files they are writing."""
        return self.database.parent / "locks"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a verb needs to know before it starts. `warnings` are sentences about what was invalid.

    `model` is None if there is none: then built-in rules are used. `keys` are the person's keys for the app's
    commands, by command id, as written. `semantic_folder` has the model that compares meanings, None for none.
    `keyring` names the services whose keys came from the system's keyring. `corpus` is the folder or address of the
    corpus, whether or not it exists.
    """

    places: Places
    preferences: Preferences
    access: Access
    warnings: tuple[str, ...] = ()
    model: ModelConfig | None = None
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    semantic_folder: Path | None = None
    keyring: frozenset[str] = frozenset()
    corpus: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)
    """The person's stored filters of the shelf, by name."""

    @property
    def at_hand(self) -> tuple[str, ...]:
        """The sources of the preferences, without the corpus if it does not exist."""
        return tuple(name for name in self.preferences.sources if name != CORPUS or exists(self.corpus))

    @property
    def open_sources(self) -> tuple[str, ...]:
        """The sources of the preferences that can be searched with the available keys, unless offline, and the
        corpus if it exists."""
        offline = self.preferences.offline
        return tuple(name for name in self.at_hand if is_searchable(name) and self._is_open(name, offline))

    def _is_open(self, name: str, offline: bool) -> bool:
        if name == CORPUS:
            return not (offline and is_remote(self.corpus))
        return not offline and SOURCES[name].is_open(self.access)


def load_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Return the current settings. A broken file or variable is named in `warnings`, and the default is used."""
    environment = os.environ if environment is None else environment
    places = find_places(environment)
    table, warnings = _read(places.config)
    keys, more = _keys(table.pop("keys", {}), places.config)
    warnings += more
    filters, more = _filters(table.pop("filters", {}), places.config)
    warnings += more
    preferences, more = _preferences(table, places.config)
    warnings += more
    access, keyring, more = _access(environment, preferences)
    notices = (*warnings, *more)
    # A key for one's own server must not go to the hosted service, nor must one's questions.
    astray = any("OPENAI_BASE_URL" in warning or "model_url:" in warning for warning in notices)
    model = None if astray else _model(environment, preferences, access)
    folder = environment.get("SPAR_SEMANTIC_FOLDER", "").strip() or preferences.semantic_folder.strip()
    semantic = expanded(folder).absolute() if folder else None
    corpus = _corpus(environment.get("SPAR_CORPUS", "").strip() or preferences.corpus.strip(), places.database.parent)
    return Settings(places, preferences, access, notices, model, keys, semantic, keyring, corpus, filters)


def _corpus(name: str, beside: Path) -> str:
    if is_remote(name):
        return name.rstrip("/")
    return str(expanded(name).absolute() if name else beside / CORPUS)


def find_places(environment: Mapping[str, str]) -> Places:
    """Return the locations: `SPAR_HOME` for settings and database if set, else the platform's folders;
    `SPAR_MANNERS` or the platform's folder for what all homes share."""
    from platformdirs import PlatformDirs

    folders = PlatformDirs("spar", appauthor=False)
    shared = environment.get("SPAR_MANNERS", "").strip() or folders.user_state_dir
    gates = expanded(shared).absolute() / "gates"
    if home := environment.get("SPAR_HOME", "").strip():
        folder = expanded(home).absolute()
        return Places(folder / "config.toml", folder / "spar.db", gates, folder / "spar.log")
    data = Path(folders.user_data_dir).absolute()
    log = Path(folders.user_state_dir).absolute() / "spar.log"
    return Places(Path(folders.user_config_dir).absolute() / "config.toml", data / "spar.db", gates, log)


def _read(path: Path) -> tuple[dict[str, Any], list[str]]:
    """Return the contents of the file; {} and a sentence if it cannot be read."""
    text = ""
    try:
        text = path.read_text("utf-8")
        from tomllib import loads

        return loads(text), []
    except (FileNotFoundError, NotADirectoryError):
        return {}, []
    except ValueError as error:  # invalid encoding or TOML
        reason = str(error).replace("at end of document", f"at the end of the file, line {text.count(chr(10)) + 1}")
        return {}, [f"{path}: {reason}; the defaults are used, and the file is not changed."]
    except OSError as error:
        return {}, [f"{path} cannot be read ({error.strerror}); the defaults are used."]


def _preferences(table: Mapping[str, object], path: Path) -> tuple[Preferences, list[str]]:
    preferences, warnings = Preferences(), []
    for name, raw in table.items():
        try:
            preferences = with_preference(preferences, name, raw)
        except SettingsError as error:
            warnings.append(f"{path}: {error} The default is used.")
    return preferences, warnings


def _keys(raw: object, path: Path) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Parse the table `[keys]`: a key or a list of keys for a command, whose id may be in quotation marks."""
    if not isinstance(raw, dict):
        return {}, [f'{path}: keys: must be a table: [keys], below it lines such as "app.help" = "f1".']
    keys: dict[str, tuple[str, ...]] = {}
    warnings = []
    for name, value in raw.items():
        if isinstance(value, dict):  # app.help = "f1" is a table within the table
            more, notices = _keys({f"{name}.{part}": item for part, item in value.items()}, path)
            keys |= more
            warnings += notices
        elif isinstance(value, str):
            keys[name] = (value,)
        elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            keys[name] = tuple(value)
        else:
            warnings.append(f"{path}: keys: {name}: must be a key or a list of keys.")
    return keys, warnings


def _filters(raw: object, path: Path) -> tuple[dict[str, str], list[str]]:
    """Parse the table `[filters]`: for each name a text in the language of the filter line."""
    if not isinstance(raw, dict):
        return {}, [f'{path}: filters: must be a table: [filters], below it lines such as "to read" = "is:unread".']
    wrong = [name for name, text in raw.items() if not isinstance(text, str)]
    warnings = [f"{path}: filters: {name}: must be a text." for name in wrong]
    return {name: text for name, text in raw.items() if isinstance(text, str)}, warnings


def with_preference(preferences: Preferences, name: str, raw: object) -> Preferences:
    """Return `preferences` with `name` set to `raw`, a TOML value. Raises `SettingsError`."""
    check_name(name)
    result = replace(preferences, **{name: _typed(name, raw, getattr(Preferences(), name))})
    if problem := result.problem(name):
        raise SettingsError(f"{name}: {problem}.")
    return result


def check_name(name: str) -> None:
    """Raise `SettingsError` if there is no setting of this name."""
    if problem := _unlisted("setting", [name], [field.name for field in fields(Preferences)]):
        raise SettingsError(f"{problem}.")


def _typed(name: str, raw: object, default: object) -> Any:
    if isinstance(default, tuple) and isinstance(raw, list) and all(isinstance(item, str) for item in raw):
        return tuple(raw)
    if (default is None or isinstance(default, float)) and isinstance(raw, int | float) and not isinstance(raw, bool):
        return float(raw)
    if type(raw) is type(default):
        return raw
    kinds = {tuple: "a list of names", int: "a whole number", bool: "true or false", str: "a text"}
    raise SettingsError(f"{name}: must be {kinds.get(type(default), 'a number')}.")


def _access(environment: Mapping[str, str], preferences: Preferences) -> tuple[Access, frozenset[str], list[str]]:
    """Return the access to services, the services with keys from the keyring, and warnings."""
    keys, urls, warnings, keyring = {}, {}, [], set[str]()
    for source, variable in key_variables().items():
        # An empty or blank key is no key: services would refuse it.
        key = environment.get(variable, "").strip()
        value = key or _from_keyring(variable)
        if value and value.isascii() and value.isprintable() and " " not in value:
            keys[source] = Secret(value)
            keyring |= set() if key else {source}
        elif value:
            warnings.append(f"{variable} has characters that a key cannot have, so spar does not use it.")
    for source, variable in url_variables().items():
        value = environment.get(variable, "").strip()
        if value and web_address(value):
            urls[source] = value.rstrip("/")
        elif value:
            instead = "no model is used" if source == "model" else "the service's own address is used"
            warnings.append(f"{variable} is not an http(s) address; {instead}.")
    email = environment.get("NCBI_EMAIL", "").strip() or preferences.ncbi_email
    return Access(keys, urls, email or None), frozenset(keyring), warnings


def _model(environment: Mapping[str, str], preferences: Preferences, access: Access) -> ModelConfig | None:
    """Return the configuration of the model; None without a key or an address, because a name alone is not enough."""
    key, url = access.keys.get("model"), access.urls.get("model") or preferences.model_url.rstrip("/")
    if not key and not url:
        return None
    name = environment.get("SPAR_MODEL", "").strip() or preferences.model.strip()
    embedding = environment.get("SPAR_EMBEDDING_MODEL", "").strip() or preferences.embedding_model.strip()
    return ModelConfig(
        name if name.isprintable() and name else None,
        url or None,
        key,
        preferences.model_seconds,
        preferences.input_price,
        preferences.output_price,
        concurrency=preferences.model_at_once,
        embedding=embedding if embedding.isprintable() and embedding else None,
    )


def _from_keyring(variable: str) -> str:
    """Return the key stored in the system's keyring under service `spar`; "" without a keyring."""
    try:
        import keyring
    except ImportError:
        return ""
    from keyring.errors import KeyringError

    try:
        return (keyring.get_password("spar", variable) or "").strip()
    except KeyringError:
        return ""
