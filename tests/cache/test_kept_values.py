"""The secret of a library: kept in it, and of it alone."""

from pathlib import Path

from cache.kept_values import library_secret
from cache.store import Store


def test_a_library_keeps_its_secret_and_shares_it_with_no_other(tmp_path: Path) -> None:
    secrets = []
    for name in ("one", "one", "other"):
        with Store.open(tmp_path / f"{name}.db") as store:
            secrets.append(library_secret(store))
            assert library_secret(store) == secrets[-1]
    assert secrets[0] == secrets[1] != secrets[2]
    assert len(secrets[0]) == 32
