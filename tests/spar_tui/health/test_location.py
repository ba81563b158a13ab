"""A library on a network share, in a synced folder, or without locks is named once, with what to do."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache.store import Store
from spar_tui.health.location import (
    Mount,
    is_shared,
    linux_mounts,
    location_warning,
    locks_work,
    macos_mounts,
    mount_of,
    mounts,
    syncing_program,
)
from tests.rows import each
from tests.spar_tui.in_process import spar

LINUX = r"""22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
40 27 0:40 / /users/ada rw,nosuid master:2 - autofs systemd-1 rw
41 40 0:41 / /users/ada rw,nosuid - nfs4 server:/export/ada rw,vers=4.2
42 27 0:42 / /mnt/My\040Share rw - cifs //server/share rw
43 27 0:43 / /mnt/box rw - fuse.sshfs ada@box:/ rw
44 27 0:44 / /mnt/c rw - 9p C: rw
45 27 0:45 / /mnt/disk rw - fuseblk /dev/sdb1 rw
"""
MACOS = """/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
//ada@server/Team%20Share on /Volumes/Team Share (smbfs, nodev, nosuid, mounted by ada)
server:/export on /Volumes/export (nfs, nodev)
"""


@each(
    ("folder", "type_", "shared"),
    [
        ("/users/ada/.local/share/spar", "nfs4", True), ("/users/adam", "ext4", False),
        ("/mnt/My Share/x", "cifs", True),
        ("/mnt/box/a/b", "fuse.sshfs", True), ("/mnt/c/Users", "9p", True), ("/mnt/disk/x", "fuseblk", False),
        ("/", "ext4", False),
    ],
)  # fmt: skip
def test_the_file_system_of_a_folder_is_the_innermost_and_newest_one(folder: str, type_: str, shared: bool) -> None:
    mount = mount_of(Path(folder), list(linux_mounts(LINUX)))
    assert mount is not None
    assert (mount.type, is_shared(mount)) == (type_, shared)


@each(
    ("folder", "type_", "shared"),
    [("/Volumes/Team Share/spar", "smbfs", True), ("/Volumes/export", "nfs", True), ("/Users/ada", "apfs", False)],
)
def test_macos_lists_them_in_words(folder: str, type_: str, shared: bool) -> None:
    mount = mount_of(Path(folder), list(macos_mounts(MACOS)))
    assert mount is not None
    assert (mount.type, is_shared(mount)) == (type_, shared)


@given(st.text())
def test_no_line_of_a_list_of_mounts_is_more_than_unknown(text: str) -> None:
    assert all(isinstance(mount, Mount) for mount in (*linux_mounts(text), *macos_mounts(text)))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_mounts_of_this_machine_are_read(tmp_path: Path) -> None:
    mount = mount_of(tmp_path.resolve(), mounts())
    assert mount is not None
    assert mount.type


@pytest.mark.parametrize(
    ("mark", "is_folder", "program"),
    [
        (".dropbox", False, "Dropbox"), (".dropbox.cache", True, "Dropbox"), (".stfolder", True, "Syncthing"),
        (".sync_0a1b2c3d.db", False, "Nextcloud"), (".tmp.drivedownload", True, "Google Drive"),
    ],
)  # fmt: skip
def test_a_synced_folder_is_known_by_its_marks(mark: str, is_folder: bool, program: str, tmp_path: Path) -> None:
    folder = tmp_path / "synced" / "papers" / "spar"
    folder.mkdir(parents=True)
    assert syncing_program(folder) == ""
    marked = tmp_path / "synced" / mark
    marked.mkdir() if is_folder else marked.touch()
    assert syncing_program(folder) == program
    assert syncing_program(tmp_path) == ""


def test_the_settings_of_dropbox_in_a_home_are_no_synced_folder(tmp_path: Path) -> None:
    (tmp_path / ".dropbox").mkdir()
    assert syncing_program(tmp_path / ".local") == ""


@each(
    ("folder", "program"),
    [
        ("/Users/ada/Library/CloudStorage/OneDrive-Personal/spar", "OneDrive"),
        ("/Users/ada/Library/CloudStorage/Dropbox/spar", "Dropbox"),
        ("/Users/ada/Library/Mobile Documents/com~apple~CloudDocs/spar", "iCloud"),
        ("/Users/ada/Library/Application Support/spar", ""),
    ],
)
def test_clouds_of_macos_have_folders_of_their_own(folder: str, program: str) -> None:
    assert syncing_program(Path(folder)) == program


def test_onedrive_names_its_folder_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OneDrive", str(tmp_path))
    assert syncing_program(tmp_path / "spar") == "OneDrive"


def test_locks_are_tried_with_a_second_process_and_nothing_is_left_behind(tmp_path: Path) -> None:
    assert locks_work(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs SQLite without locks, which Windows has not")
def test_locks_that_keep_nobody_out_do_not_work(tmp_path: Path) -> None:
    assert not locks_work(tmp_path, "vfs=unix-none")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_says_nothing_of_locks(tmp_path: Path) -> None:
    assert locks_work(tmp_path / "missing")


def test_the_app_is_warned_once_for_each_place(tmp_path: Path) -> None:
    library = tmp_path / "cloud" / "spar" / "library.db"
    with Store.open(library) as store:
        assert location_warning(store) == ""
        (tmp_path / "cloud" / ".stfolder").mkdir()
        warning = location_warning(store)
        assert warning.startswith(f"Syncthing syncs the library's folder {library.parent};")
        assert warning.endswith("Set SPAR_HOME to a folder that is not synced.")
        assert location_warning(store) == ""
    moved = tmp_path / "cloud" / "elsewhere" / "library.db"
    moved.parent.mkdir()
    library.rename(moved)
    with Store.open(moved) as store:
        assert location_warning(store).startswith("Syncthing syncs")


def test_a_locked_library_is_no_reason_to_say_nothing(tmp_path: Path) -> None:
    (tmp_path / ".stfolder").mkdir()
    with Store.open(tmp_path / "library.db", wait=0) as store, closing(sqlite3.connect(store.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "Syncthing" in location_warning(store)


def test_doctor_says_where_the_library_lies(tmp_path: Path) -> None:
    told = spar(tmp_path, "doctor", "--offline").stdout
    assert f"{tmp_path / 'spar'} is on a local disk" in told
    (tmp_path / ".stfolder").mkdir()
    [line] = [line for line in spar(tmp_path, "doctor", "--offline").stdout.splitlines() if "Syncthing" in line]
    assert line.startswith("note     location")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights in another way")
def test_a_folder_that_everybody_can_write_is_named_with_what_closes_it(tmp_path: Path) -> None:
    folder = tmp_path / "spar"
    folder.mkdir()
    folder.chmod(0o777)
    assert f"Run chmod go-w {folder}." in spar(tmp_path, "doctor", "--offline").stdout
    folder.chmod(0o700)
    assert "chmod" not in spar(tmp_path, "doctor", "--offline").stdout
