"""What of an address may be shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.http.secret import shown_address


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://api.crossref.org", "https://api.crossref.org"),
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
        ("https://host/x?key=SECRET&a=1", "https://host/x?key=…&a=…"),
        ("https://me:pass@word@host/x", "https://…@host/x"),
        ("https://host/x?SECRET#SECRET", "https://host/x?…#…"),
        ("http://[bad", "…"),
    ],
)
def test_no_key_in_an_address_is_shown(address: str, shown: str) -> None:
    assert shown_address(address) == shown


@given(st.text(alphabet="ABC123%+~", min_size=1))
def test_a_key_is_hidden_wherever_it_stands(key: str) -> None:
    for address in (f"https://{key}@h.org", f"https://u:{key}@h.org", f"https://h.org?{key}", f"https://h.org?k={key}"):
        assert "…" in shown_address(address)
        assert f"{key}@" not in shown_address(address)
        assert not shown_address(address).endswith(key)
