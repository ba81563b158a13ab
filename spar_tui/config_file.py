"""Changing one setting in config.toml; comments and everything else in the file stay as they are."""

import os
import tempfile
from pathlib import Path

from spar_tui.errors import Failure, SettingsError
from spar_tui.settings import Preferences, Settings, check_name, with_preference


def set_preference(settings: Settings, name: str, written: str) -> Preferences:
    """Write `written` as the value of `name` into the file of `settings`; the preferences as they are then.

    Raises `SettingsError` for a value that cannot be used or a file that is damaged, `Failure` if it cannot be written.
    """
    value = parsed(name, written)
    changed = with_preference(settings.preferences, name, value)
    _write(settings.places.config, name, value)
    return changed


def unset_preference(settings: Settings, name: str) -> bool:
    """Take `name` out of the file of `settings`, so that its default holds; False if the file does not set it.

    Raises `SettingsError` for an unknown name or a file that is damaged, `Failure` if it cannot be written.
    """
    check_name(name)
    return _write(settings.places.config, name, None)


def parsed(name: str, written: str) -> object:
    """`written` as the type that the setting `name` has; lists have commas between their parts."""
    default = getattr(Preferences(), name, None)
    if isinstance(default, tuple):
        return [part.strip() for part in written.split(",") if part.strip()]
    if isinstance(default, bool):
        return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(
            written.lower(), written
        )
    if default is None or isinstance(default, int | float):
        try:
            return float(written) if default is None else type(default)(written)
        except ValueError:
            return written
    return written


def _write(path: Path, name: str, value: object) -> bool:
    """Replace the file by one with the new value, or without it if that is None: the old or the new, never a half.
    False if there is nothing to take out."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        document = tomlkit.parse(path.read_text("utf-8")) if path.exists() else tomlkit.document()
        if value is None:
            if name not in document:
                return False
            del document[name]
        else:
            document[name] = value
        handle, fresh = tempfile.mkstemp(prefix=".config-", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(tomlkit.dumps(document))
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
        return True
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is damaged ({error}); correct it by hand first, it was not touched.") from None
    except OSError as error:
        raise Failure(f"{path} cannot be written ({error.strerror}); check the folder, or set SPAR_HOME.") from None
