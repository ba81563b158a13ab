"""A path that leads nowhere raises nothing until it is opened."""

from pathlib import Path

from cache.paths import expanded, resolved


def test_a_circle_of_links_and_the_home_of_nobody_stay_as_they_are(tmp_path: Path) -> None:
    for name, target in (("one", "two"), ("two", "one")):
        (tmp_path / name).symlink_to(target)
    assert resolved(tmp_path / "one").parent == tmp_path.resolve()
    assert expanded("~no-such-user/x") == Path("~no-such-user/x")
    assert expanded("~/x") == Path.home() / "x"
