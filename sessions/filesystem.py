"""Which file system a path lies on, and whether SQLite's write-ahead log is safe there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

NETWORK: Final = frozenset(
    {
        "nfs", "nfs3", "nfs4", "smb", "smb2", "smb3", "smbfs", "cifs", "ncpfs", "afs", "afpfs", "webdav", "davfs",
        "lustre", "gpfs", "beegfs", "beegfs_nodev", "ceph", "orangefs", "pvfs2", "panfs", "glusterfs", "9p", "coda",
        "mmfs", "wekafs", "acfs", "ocfs2", "vmhgfs", "prl_fs",
        "fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.ceph-fuse", "fuse.s3fs", "fuse.gcsfuse", "fuse.rclone",
        "fuse.juicefs", "fuse.davfs2", "fuse.smbnetfs", "fuse.cephfs", "fuse.mount_webdav", "fuse.goofys",
        "macfuse", "osxfuse",
    }
)  # fmt: skip
"""File systems whose locks and shared memory do not hold between machines."""

_BSD_LINE: Final = re.compile(r"^(?P<what>.+?) on (?P<where>/.*) \((?P<kind>[^,)]+)(?:,[^)]*)?\)$")


def mounts_text() -> str:
    """The system's mount table; "" where it cannot be read."""
    table = Path("/proc/mounts")
    try:
        if table.exists():
            return table.read_text("utf-8", "surrogateescape")
        if sys.platform != "win32":
            return subprocess.run(["/sbin/mount"], capture_output=True, text=True, timeout=5, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        pass
    return ""


def mounts(text: str) -> list[tuple[str, str]]:
    """(mount point, file system type) of each line, in the form of /proc/mounts or of BSD's ``mount``."""
    out = []
    for line in text.splitlines():
        bsd = _BSD_LINE.match(line)
        if bsd:
            out.append((bsd["where"], bsd["kind"].strip()))
            continue
        fields = line.split(" ")
        if len(fields) >= 3 and fields[1].startswith("/"):
            out.append((_unescape(fields[1]), fields[2]))
    return out


def _unescape(field: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), field)


def kind_of(path: Path, text: str | None = None) -> str:
    """The type of the file system that holds ``path`` (which need not exist yet); "" where unknown.

    The longest mount point that is a prefix wins, and of equal ones the last: it covers the earlier ones.
    """
    resolved = path.resolve()
    if sys.platform == "win32":
        return "smb" if str(resolved).startswith("\\\\") else ""
    best, kind = -1, ""
    for point, its_kind in mounts(mounts_text() if text is None else text):
        depth = len(Path(point).parts)
        if depth >= best and resolved.is_relative_to(point):
            best, kind = depth, its_kind
    return kind


def is_network(kind: str) -> bool:
    return kind.lower() in NETWORK
