"""Which file system a path lies on."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessions.filesystem import is_network, kind_of, mounts

LINUX = """\
/dev/sda1 / ext4 rw,relatime 0 0
server:/export /home nfs4 rw,vers=4.2 0 0
/dev/sdb1 /home/ann/local xfs rw 0 0
//nas/share /mnt/my\\040share cifs rw 0 0
lustre@tcp:/scratch /scratch lustre rw 0 0
ann@host:/data /mnt/ssh fuse.sshfs rw 0 0
tmpfs /scratch/node tmpfs rw 0 0
/dev/sdc1 /mnt/twice ext4 rw 0 0
server:/twice /mnt/twice nfs rw 0 0
"""

MAC = """\
/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
//ann@nas/share on /Volumes/My Share (smbfs, nodev, nosuid, mounted by ann)
server:/export on /Volumes/export (nfs)
"""


@pytest.mark.parametrize(
    ("path", "kind", "network"),
    [
        ("/var/lib/x.db", "ext4", False),
        ("/home/bob/x.db", "nfs4", True),
        ("/home/ann/local/x.db", "xfs", False),
        ("/home/ann/localish/x.db", "nfs4", True),
        ("/homes/x.db", "ext4", False),
        ("/mnt/my share/deep/er/x.db", "cifs", True),
        ("/scratch/x.db", "lustre", True),
        ("/scratch/node/x.db", "tmpfs", False),
        ("/mnt/ssh/x.db", "fuse.sshfs", True),
        ("/mnt/twice/x.db", "nfs", True),
    ],
)
def test_the_longest_mount_point_decides(path: str, kind: str, network: bool) -> None:
    assert kind_of(Path(path), LINUX) == kind
    assert is_network(kind) is network


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/Users/ann/x.db", "apfs"), ("/Volumes/My Share/x.db", "smbfs"), ("/Volumes/export/a/x.db", "nfs")],
)
def test_the_mount_command_of_other_systems_is_read_too(path: str, kind: str) -> None:
    assert kind_of(Path(path), MAC) == kind


def test_an_unreadable_table_refuses_nothing() -> None:
    assert mounts("nonsense\n\n  \n") == []
    assert kind_of(Path("/x.db"), "nonsense") == ""
    assert not is_network("")


def test_a_link_into_a_network_file_system_is_seen_through(tmp_path: Path) -> None:
    far = tmp_path / "far"
    far.mkdir()
    (tmp_path / "near").symlink_to(far)
    assert kind_of(tmp_path / "near" / "x.db", f"/dev/sda1 / ext4 rw 0 0\nserver:/x {far} nfs rw 0 0\n") == "nfs"
