"""A layer under SQLite that notes every write, truncation, sync and deletion, and lets them through.

It is a file layer (VFS) of SQLite's own interface, laid over the one in use by `ctypes`; Python has no other way to it.
For a process of its own: the layer stays in force until the process ends.
"""

import _sqlite3
import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Noted:
    """One thing that was done to `file`: a write of `data` at the place `at`, a truncation to `at` bytes, a sync, a
    deletion; or that a number was acknowledged to whoever asked."""

    kind: str
    file: str
    at: int = 0
    data: bytes = b""


_P, _I, _I64 = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
_WRITE = ctypes.CFUNCTYPE(_I, _P, _P, _I, _I64)
_TRUNCATE = ctypes.CFUNCTYPE(_I, _P, _I64)
_SYNC = ctypes.CFUNCTYPE(_I, _P, _I)
_OPEN = ctypes.CFUNCTYPE(_I, _P, _P, _P, _I, _P)
_DELETE = ctypes.CFUNCTYPE(_I, _P, _P, _I)


class _Methods(ctypes.Structure):
    """`sqlite3_io_methods`, of which three are ours."""

    _fields_ = (
        ("version", _I), ("close", _P), ("read", _P), ("write", _WRITE), ("truncate", _TRUNCATE), ("sync", _SYNC),
        *((f"other{number}", _P) for number in range(13)),
    )  # fmt: skip


class _Layer(ctypes.Structure):
    """`sqlite3_vfs`, of which two are ours."""

    _fields_ = (
        ("version", _I), ("size", _I), ("longest", _I), ("next", _P), ("name", ctypes.c_char_p), ("data", _P),
        ("open", _OPEN), ("delete", _DELETE), *((f"other{number}", _P) for number in range(14)),
    )  # fmt: skip


_kept: list[Any] = []
"""What SQLite points at, and Python must not let go."""


@contextmanager
def noted(folder: Path, note: Callable[[Noted], None]) -> Iterator[None]:
    """Tell `note` all that SQLite does to files of `folder` from now on."""
    library = ctypes.CDLL(_sqlite3.__file__)
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Layer)
    library.sqlite3_vfs_register.argtypes = (ctypes.POINTER(_Layer), _I)
    below = library.sqlite3_vfs_find(None).contents
    layer = _Layer.from_buffer_copy(below)
    layer.name, layer.next = b"noting", None
    names: dict[int, str] = {}
    methods: dict[int, _Methods] = {}

    def ours(path: bytes | None) -> str | None:
        found = Path(path.decode()) if path else None
        return found.name if found and found.parent == folder and not found.name.endswith("-shm") else None

    def open_file(vfs: int, path: int | None, file: int, flags: int, out: int) -> int:
        code: int = below.open(vfs, path, file, flags, out)
        name = ours(ctypes.string_at(path) if path else None)
        slot = ctypes.c_void_p.from_address(file)
        if code == 0 and name and slot.value:
            names[file] = name
            slot.value = ctypes.addressof(noting(slot.value))
        return code

    def noting(theirs: int) -> _Methods:
        """A copy of the file's methods, with ours among them."""
        if theirs not in methods:
            original = _Methods.from_address(theirs)
            copy = _Methods.from_buffer_copy(original)

            def write(file: int, data: int, size: int, at: int) -> int:
                code: int = original.write(file, data, size, at)
                note(Noted("write", names[file], at, ctypes.string_at(data, size)))
                return code

            def truncate(file: int, size: int) -> int:
                code: int = original.truncate(file, size)
                note(Noted("truncate", names[file], size))
                return code

            def sync(file: int, flags: int) -> int:
                code: int = original.sync(file, flags)
                note(Noted("sync", names[file]))
                return code

            copy.write, copy.truncate, copy.sync = _WRITE(write), _TRUNCATE(truncate), _SYNC(sync)
            methods[theirs] = copy
        return methods[theirs]

    def delete(vfs: int, path: int, folder_too: int) -> int:
        code: int = below.delete(vfs, path, folder_too)
        if code == 0 and (name := ours(ctypes.string_at(path))):
            note(Noted("delete", name))
        return code

    layer.open, layer.delete = _OPEN(open_file), _DELETE(delete)
    _kept.extend((layer, methods, below))
    library.sqlite3_vfs_register(ctypes.byref(layer), 1)
    yield
