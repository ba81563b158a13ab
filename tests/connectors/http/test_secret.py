"""What of an address may be shown."""

from hypothesis import given
from hypothesis import strategies as st

from connectors.http.secret import shown_address
from tests.rows import each


@each(
    ("address", "shown"),
    [
        ("https://api.crossref.org", "https://api.crossref.org"),
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
        ("https://host:8443/x?key=SECRET&a=1", "https://host:8443/x…"),
        ("https://me:pass@word@host/x", "https://…@host/x"),
        ("https://host/x;token=SECRET/y", "https://host/x…"),
        ("https://host;token=SECRET/y", "https://host…"),
        ("https://host/x#SECRET", "https://host/x…"),
        ("http://[::1]:9/v1", "http://[::1]:9/v1"),
        ("me:SECRET@host/x", "…"),
        ("https://me:pa/SECRET@host/x", "…"),
        ("https:SECRET@host", "…"),
    ],
)
def test_no_key_in_an_address_is_shown(address: str, shown: str) -> None:
    assert shown_address(address) == shown


@given(st.text(alphabet="ABC123%+~", min_size=1))
def test_a_key_is_hidden_wherever_it_stands(key: str) -> None:
    secrets = (f"{key}@h.org", f"u:{key}@h.org", f"h.org?{key}", f"h.org?k={key}", f"h.org/a;k={key}", f"h.org#{key}")
    for address in (f"https://{secret}" for secret in secrets):
        assert "…" in shown_address(address)
        assert f"{key}@" not in shown_address(address)
        assert not shown_address(address).endswith(key)
