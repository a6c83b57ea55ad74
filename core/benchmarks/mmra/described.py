"""Descriptions made elsewhere: ``descriptions.jsonl`` beside the data file, one object a line.

``{"picture": NAME, "text": ...}``: NAME is the picture's name as the data has it, or the last part of it, or the
SHA-256 of its bytes. A row's own ``description1`` and ``description2`` come before these.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.benchmarks.mmra import values
from core.errors import Problem
from core.records import Picture
from core.stamps import Seen

COMPANION: Final = "descriptions.jsonl"

_SHA256: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Described:
    """Descriptions by picture; ``digest`` is that of the file, "" where there is none. ``seen`` is shown the pictures
    that are read."""

    by_name: Mapping[str, str]
    by_hash: Mapping[str, str]
    problems: tuple[Problem, ...] = ()
    digest: str = ""
    seen: Seen = field(default_factory=Seen, compare=False)

    def of(self, picture: Picture) -> str:
        """The picture's description, "" where none is known."""
        found = self.by_name.get(picture.name) or self.by_name.get(Path(picture.name).name)
        if found is None and self.by_hash:
            found = self.by_hash.get(self._hash(picture))
        return found or ""

    def _hash(self, picture: Picture) -> str:
        try:
            if (data := picture.data) is None:
                self.seen.look(picture.path)
                data = Path(picture.path).read_bytes()
        except OSError:
            return ""
        return hashlib.sha256(data).hexdigest()


NOTHING: Final = Described({}, {})


def read_beside(file: Path, seen: Seen | None = None) -> Described:
    """The companion of a data file. Bad lines are told as problems; the rest is used. ``seen`` is shown it."""
    path = file.parent / COMPANION
    seen = Seen() if seen is None else seen
    seen.look(path)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return NOTHING
    except OSError as error:
        return Described({}, {}, (Problem(str(path), 0, "", f"cannot be read ({error.strerror or error})"),))
    by_name: dict[str, str] = {}
    by_hash: dict[str, str] = {}
    problems = []
    for number, line in enumerate(raw.splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
            if not isinstance(entry, dict):
                raise values.UnreadableError("is no object")
            name, text = values.needed(entry.get("picture")), values.needed(entry.get("text"))
        except UnicodeDecodeError:
            problems.append(Problem(str(path), number, "", "not UTF-8"))
        except values.UnreadableError as error:
            problems.append(Problem(str(path), number, "", f"picture and text are needed: one {error}"))
        except (ValueError, RecursionError) as error:
            problems.append(Problem(str(path), number, "", f"no JSON object ({error})"))
        else:
            (by_hash if _SHA256.fullmatch(name.lower()) else by_name)[
                name.lower() if _SHA256.fullmatch(name.lower()) else name
            ] = text
    return Described(by_name, by_hash, tuple(problems), hashlib.sha256(raw).hexdigest(), seen)
