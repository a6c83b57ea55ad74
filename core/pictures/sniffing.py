"""A picture's kind from its first bytes; a file's name is never asked."""

from __future__ import annotations

from typing import Final

HEAD: Final = 64
"""How many bytes ``sniff`` wants to see."""

SENDABLE: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
"""What servers take as it stands."""

_STARTS: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"II+\x00", "image/tiff"),
    (b"MM\x00+", "image/tiff"),
    (b"BM", "image/bmp"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"\xff\x4f\xff\x51", "image/jp2"),
    (b"\x00\x00\x00\x0cjP  ", "image/jp2"),
)

_AVIF: Final = (b"avif", b"avis")
_HEIC: Final = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


def sniff(head: bytes) -> str:
    """The MIME type of a picture's first bytes, "" where they are no picture's."""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if head[4:8] == b"ftyp":
        brands = (head[8:12], *(head[at : at + 4] for at in range(16, len(head), 4)))
        if any(brand in _AVIF for brand in brands):
            return "image/avif"
        return "image/heic" if any(brand in _HEIC for brand in brands) else ""
    if len(head) > 2 and head[:1] == b"P" and head[1:2] in b"123456" and head[2:3].isspace():
        return "image/x-portable-anymap"
    return next((mime for start, mime in _STARTS if head.startswith(start)), "")
