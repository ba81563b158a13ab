"""`spar config`: show, explain and change settings."""

import json
import os
from dataclasses import fields
from typing import Annotated

import typer

from connectors.http.secret import shown_address
from spar_tui.cli.options.usual_options import Verbs
from spar_tui.config_file import set_preference, unset_preference
from spar_tui.settings import Preferences, check_name, find_places, key_variables, url_variables
from spar_tui.terminal import remark, say, say_json
from spar_tui.workspace import read_settings

Key = Annotated[str, "<KEY>", "The setting's name."]
app = Verbs(help="Show or change settings.", invoke_without_command=True, rich_markup_mode=None)


@app.callback()
def config(context: typer.Context) -> int:
    """Show or change settings."""
    return show() if context.invoked_subcommand is None else 0


@app.command()
def path() -> int:
    """Print the path of the settings file (it need not exist)."""
    say(str(read_settings().places.config))
    return 0


@app.command()
def show(as_json: Annotated[bool, "--json", "Print one JSON object."] = False) -> int:
    """Print every setting with its meaning, and which keys are set (never the keys)."""

    settings = read_settings()
    values = {field.name: getattr(settings.preferences, field.name) for field in fields(Preferences)}
    values |= {name: shown_address(text) for name, text in values.items() if isinstance(text, str) and "://" in text}
    keys = {variable: source in settings.access.keys for source, variable in key_variables().items()}
    urls = {
        variable: url and shown_address(url)
        for source, variable in url_variables().items()
        for url in [settings.access.urls.get(source)]
    }
    if as_json:
        say_json({"path": str(settings.places.config), "settings": values, "keys": keys, "urls": urls})
        return 0
    say(f"# {settings.places.config}")
    for field in fields(Preferences):
        value = values[field.name]
        text = json.dumps(value, ensure_ascii=False)
        setting = f"# {field.name} is not set" if value is None else f"{field.name} = {text}"
        say(f"{setting}  # {field.metadata['says']}")
    say("", "# keys, from the environment or the system's keyring")
    say(*(f"# {variable}: {'set' if there else 'not set'}" for variable, there in keys.items()))
    if any(urls.values()):
        say("", "# services pointed elsewhere", *(f"# {variable}: {url}" for variable, url in urls.items() if url))
    return 0


@app.command("set")
def set_(key: Key, value: Annotated[str, "<VALUE>", "Its new value; separate the items of a list by commas."]) -> int:
    """Change one setting in the file; comments and everything else in it stay as they are."""
    set_preference(read_settings(), key, value)
    return 0


@app.command("get")
def get_(key: Key) -> int:
    """Print the value of one setting, as `config set` takes it; 3 if it has none."""
    check_name(key)
    value = getattr(read_settings().preferences, key)
    if value is None:
        return 3
    say(",".join(value) if isinstance(value, tuple) else value if isinstance(value, str) else json.dumps(value))
    return 0


@app.command("unset")
def unset_(key: Key) -> int:
    """Reset one setting to its default."""
    settings = read_settings()
    if unset_preference(settings, key):
        return 0
    remark(f"{settings.places.config} does not set {key}; nothing was changed.")
    return 3


@app.command()
def edit() -> int:
    """Edit the settings file in your editor (VISUAL or EDITOR), then check it."""
    from spar_tui.editor import check_terminal, edit_file, editor

    check_terminal("`spar config set KEY VALUE` changes a setting")
    command, file = editor(), find_places(os.environ).config
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    edit_file(command, file)
    return 2 if read_settings().warnings else 0
