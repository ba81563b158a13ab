"""Change one setting or one key in config.toml, keeping comments and everything else in the file."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from spar_tui.errors import Failure, SettingsError
from spar_tui.settings import Preferences, Settings, check_name, with_preference

if TYPE_CHECKING:
    from tomlkit import TOMLDocument


def set_preference(settings: Settings, name: str, raw: str) -> Preferences:
    """Set `name` to `raw` in the file of `settings`, and return the new preferences. Raises `SettingsError` for
    an invalid value or a damaged file, `Failure` if it cannot be written."""
    value = parsed(name, raw)
    preferences = with_preference(settings.preferences, name, value)
    _rewrite(settings, lambda document: _set(document, name, value))
    return preferences


def unset_preference(settings: Settings, name: str) -> bool:
    """Remove `name` from the file of `settings`, so that its default applies; return False if the file does not set it.

    Raises `SettingsError` for an unknown name or a damaged file, `Failure` if it cannot be written.
    """
    check_name(name)
    return _rewrite(settings, lambda document: _unset(document, name))


def set_keys(settings: Settings, command: str, keys: Sequence[str]) -> None:
    """Set the `keys` of `command` in the table `[keys]` of the file of `settings`; without keys, restore the
    default. Raises `SettingsError` for a damaged file, `Failure` if it cannot be written."""
    _rewrite(settings, lambda document: _set_keys(document, command, keys))


def set_filter(settings: Settings, name: str, text: str) -> None:
    """Store the filter `text` as `name` in the table `[filters]` of the file of `settings`; without a text, remove
    it. Raises `SettingsError` for a damaged file, `Failure` if it cannot be written."""
    _rewrite(settings, lambda document: _set_filter(document, name, text))


def parsed(name: str, raw: str) -> object:
    """Convert `raw` to the type of the setting `name`; parts of lists are separated by commas."""
    default = getattr(Preferences(), name, None)
    if isinstance(default, tuple):
        return [part.strip() for part in raw.split(",") if part.strip()]
    if isinstance(default, bool):
        return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(raw.lower(), raw)
    if default is None or isinstance(default, int | float):
        try:
            return float(raw) if default is None else type(default)(raw)
        except ValueError:
            return raw
    return raw


def _set(document: "TOMLDocument", name: str, value: object) -> bool:
    document[name] = value
    return True


def _unset(document: "TOMLDocument", name: str) -> bool:
    return document.pop(name, None) is not None


def _table(document: "TOMLDocument", name: str) -> dict[str, object]:
    import tomlkit

    table = document.setdefault(name, tomlkit.table())
    if not isinstance(table, dict):
        raise SettingsError(f"{name}: must be a table: [{name}]. spar changed nothing; correct the file first.")
    return table


def _set_filter(document: "TOMLDocument", name: str, text: str) -> bool:
    table = _table(document, "filters")
    table.pop(name, None)
    if text:
        table[name] = text
    return True


def _set_keys(document: "TOMLDocument", command: str, keys: Sequence[str]) -> bool:
    table = _table(document, "keys")
    # The name can be in the table or, without quotation marks, in a table inside it.
    first, _, rest = command.partition(".")
    within = table.get(first)
    if isinstance(within, dict):
        within.pop(rest, None)
    table.pop(command, None)
    if keys:
        table[command] = keys[0] if len(keys) == 1 else list(keys)
    return True


def _rewrite(settings: Settings, change: "Callable[[TOMLDocument], bool]") -> bool:
    """Atomically replace the file by a changed one, one process after the other. Return False if `change` changes
    nothing."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    from spar_tui.files import locked, replace_file

    path = settings.places.config
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with locked(path, settings.places.locks):
            old = path.read_bytes() if path.exists() else None
            document = tomlkit.parse((old or b"").decode())
            if not change(document):
                return False
            if old is None:
                path.touch(0o600)
            replace_file(path, tomlkit.dumps(document).encode(), old or b"")
            return True
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is damaged ({error}). spar changed nothing; correct the file first.") from None
    except OSError as error:
        raise Failure(f"{path} cannot be written ({error.strerror}); check the folder, or set SPAR_HOME.") from None
