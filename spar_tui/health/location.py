"""Check that the library's folder is safe for a database: on a local disk, with working locks, not synced, and not
writable by everybody.

SQLite needs locks and memory shared through a file, which many network file systems lack
(https://www.sqlite.org/wal.html, https://www.sqlite.org/howtocorrupt.html 2.1). A program that syncs a folder copies
the database while spar writes to it.
"""

import os
import re
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from cache.errors import CacheError
from cache.kept_values import keep_value, kept_value
from cache.store import Store
from spar_tui.health.sources import Outcome

SHARED = frozenset(
    # systemd, src/shared/mount-util.c and the set @network of systemd.exec(5); "fuse." before a name does not count.
    "afs ceph cifs davfs gfs gfs2 glusterfs lustre ncp ncpfs nfs nfs4 ocfs2 orangefs pvfs2 smb3 smbfs sshfs "
    # GNU coreutils, src/stat.c: those that it calls remote.
    "acfs beegfs coda fhgfs gpfs ibrix panfs prl_fs snfs vboxsf vmhgfs vmhgfs-fuse "
    # Linux, Documentation/filesystems: folders of a host in a virtual machine; WSL has drives of Windows as 9p.
    "9p virtiofs drvfs "
    # macOS, mount(8), and programs that show an account or a server as a disk.
    "afpfs webdav gvfsd-fuse kio-fuse rclone s3fs".split()
)
"""File systems whose files other computers, or other systems on this computer, can change."""


class SyncMark(NamedTuple):
    """A file or folder that a sync program leaves in the topmost folder that it syncs."""

    program: str
    name: str
    folder: bool


MARKS = (
    SyncMark("Dropbox", ".dropbox", False),  # `~/.dropbox`, which is a folder, has its settings
    SyncMark("Dropbox", ".dropbox.cache", True),  # https://help.dropbox.com/delete-restore/clear-cache
    SyncMark("Syncthing", ".stfolder", True),  # https://docs.syncthing.net/users/faq.html
    SyncMark("Nextcloud", ".sync_*.db", False),  # https://docs.nextcloud.com/desktop/latest/faq.html
    SyncMark("ownCloud", "._sync_*.db", False),  # https://doc.owncloud.com/desktop/latest/faq.html
    SyncMark("Google Drive", ".tmp.drivedownload", True),  # Drive for desktop, in folders that it mirrors
    SyncMark("Google Drive", ".tmp.driveupload", True),
    SyncMark("Resilio Sync", ".sync/ID", False),  # https://help.resilio.com, "Hidden .sync folder"
)
_MAC_CLOUD = re.compile(r"/Library/(?:CloudStorage/([^/-]+)|(Mobile Documents))(?:[/-]|$)")
"""Folders of OneDrive, Google Drive, Dropbox, Box and iCloud on macOS."""
_ONEDRIVE = ("OneDrive", "OneDriveConsumer", "OneDriveCommercial")
"""Environment variables with OneDrive's folders on Windows."""

_SECOND_WRITER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], uri=True, timeout=0, isolation_level=None)
try:
    db.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    sys.exit(0 if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY else 1)
sys.exit(1)
"""


class Mount(NamedTuple):
    """A mounted file system and its mount point."""

    point: str
    type: str


def location_outcome(folder: Path) -> Outcome:
    """Return the result for `spar doctor` about the library's folder."""
    mount = mount_of(folder, mounts())
    if not locks_work(folder):
        return Outcome("problem", _locks_text(folder))
    if trouble := _trouble(folder, mount):
        return Outcome("note", trouble)
    disk = f"a local disk ({mount.type})" if mount else "a local disk"
    return Outcome("ok", f"{folder} is on {disk} and not synced; file locks work.")


def location_warning(store: Store) -> str:
    """Return the reason why the library's folder is not safe; "" if it is, or if this was already checked under the
    same key."""
    folder = store.path.parent
    mount = mount_of(folder, mounts())
    key = f"{folder} {mount.type if mount else ''} {syncing_program(folder)}".strip()
    with suppress(CacheError):
        if kept_value(store, "location") == key:
            return ""
        keep_value(store, "location", key)
    return _trouble(folder, mount) or ("" if locks_work(folder) else _locks_text(folder))


def _trouble(folder: Path, mount: Mount | None) -> str:
    if mount is not None and is_shared(mount):
        return (
            f"The library's folder {folder} is on a network share ({mount.type}); two computers that write to the "
            "library at once can damage it. Set SPAR_HOME to a folder on a local disk."
        )
    if program := syncing_program(folder):
        return (
            f"{program} syncs the library's folder {folder}; it copies the database while spar writes, which can "
            "damage it. Set SPAR_HOME to a folder that is not synced."
        )
    with suppress(OSError):
        if os.name == "posix" and folder.stat().st_mode & stat.S_IWOTH:
            return f"Every user of this machine can replace files in the library's folder. Run chmod go-w {folder}."
    return ""


def _locks_text(folder: Path) -> str:
    return (
        f"File locks do not work in the library's folder {folder}, so two spar processes can damage the library. "
        "Set SPAR_HOME to a folder on a local disk."
    )


def is_shared(mount: Mount) -> bool:
    """Whether other computers can access the file system."""
    return mount.type.removeprefix("fuse.") in SHARED


def syncing_program(folder: Path) -> str:
    """Return the name of the program that syncs `folder`; "" if there is no sign of one."""
    for above in (folder, *folder.parents):
        if any(os.environ.get(name) == str(above) for name in _ONEDRIVE):
            return "OneDrive"
        for mark in MARKS:
            with suppress(OSError):
                if any(entry.is_dir() == mark.folder for entry in above.glob(mark.name)):
                    return mark.program
    if cloud := _MAC_CLOUD.search(folder.as_posix()):
        return cloud[1] or "iCloud"
    return ""


def mount_of(folder: Path, mounted: list[Mount]) -> Mount | None:
    """Return the file system of `folder`, the last one mounted if several share a mount point. None if unknown."""
    above = {path.as_posix(): len(path.parts) for path in (folder, *folder.parents)}
    candidates = [mount for mount in mounted if mount.point in above]
    return max(reversed(candidates), key=lambda mount: above[mount.point], default=None)


def mounts() -> list[Mount]:
    """Return all mounted file systems in the order in which they were mounted; none if the system does not list
    them."""
    with suppress(OSError):
        return list(linux_mounts(Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")))
    with suppress(OSError, subprocess.SubprocessError):
        ran = subprocess.run(["/sbin/mount"], capture_output=True, text=True, timeout=5, check=True)
        return list(macos_mounts(ran.stdout))
    return []


def linux_mounts(text: str) -> Iterator[Mount]:
    """Parse `/proc/self/mountinfo`: proc_pid_mountinfo(5)."""
    for line in text.splitlines():
        before, _, after = line.partition(" - ")
        fields, types = before.split(" "), after.split(" ")
        if len(fields) > 4 and types[0]:
            yield Mount(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[4]), types[0])


def macos_mounts(text: str) -> Iterator[Mount]:
    """Parse the output of mount(8): `//user@server/share on /Volumes/share (smbfs, nodev)`."""
    for line in text.splitlines():
        if match := re.fullmatch(r".+? on (/.*) \(([^,)]+).*\)", line):
            yield Mount(match[1], match[2])


def locks_work(folder: Path, options: str = "") -> bool:
    """Whether locks keep a second process from writing to a database in `folder` while this one does; tested on a new
    database.

    `options` are options of SQLite's URIs. Also True if no file can be created there: that is another problem.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=".spar-locks-", dir=folder, ignore_cleanup_errors=True) as scratch:
            address = f"{(Path(scratch) / 'scratch.db').absolute().as_uri()}?{options}"
            with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as db:
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("BEGIN IMMEDIATE")
                db.execute("CREATE TABLE held (x)")
                command = [sys.executable, "-I", "-S", "-c", _SECOND_WRITER, address]
                return subprocess.run(command, stderr=subprocess.DEVNULL, timeout=30).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return True
    except sqlite3.Error as error:
        return error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PROTOCOL)
