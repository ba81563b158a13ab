"""The address of the person's Zotero."""

import os

from connectors.http.loopback import on_this_machine
from connectors.records.web_address import web_address
from connectors.zotero.client import ADDRESS
from spar_tui.errors import SettingsError

VARIABLE = "SPAR_ZOTERO_URL"


def zotero_address() -> str:
    """Return Zotero's default address, or that of the environment. Raises `SettingsError` for other machines."""
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return ADDRESS
    address = web_address(text)
    if not address or not on_this_machine(address):
        raise SettingsError(f"{VARIABLE} must be an http address of this machine, such as {ADDRESS}.")
    return address
