"""A data set's snapshot from the hub, into the hub library's own cache: files that had come whole are kept there.

The library reads HF_TOKEN, HF_HOME, HF_ENDPOINT and HF_HUB_OFFLINE itself; no token passes through here.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError
from core.fetching.kinds import PATTERNS
from core.version import own_version

WORKERS: Final = 4
_SECRET: Final = re.compile(r"hf_\w+")
_BY_HAND: Final = "or download it by hand and name it with --source"


def snapshot(repository: str, revision: str) -> Path:
    """The folder of the repository's snapshot; its name is the commit. ``revision`` "" is the newest.

    Raises UsageError where the library is missing, the hub cannot be reached or does not have it.
    """
    library = _library()
    if not sys.stderr.isatty():
        library.utils.disable_progress_bars()
    try:
        found = library.snapshot_download(
            repository,
            repo_type="dataset",
            revision=revision or None,
            allow_patterns=list(PATTERNS),
            max_workers=WORKERS,
            library_name="phoropter",
            library_version=own_version(),
        )
    except Exception as error:
        raise _told(error, repository, revision) from error
    return Path(found)


def _library() -> Any:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        import huggingface_hub
        import huggingface_hub.errors
        import huggingface_hub.utils
    except ImportError as error:
        raise UsageError(
            "fetching from the hub needs huggingface_hub, which is not installed",
            remedy=f"Install the extra: pip install 'phoropter[hub]', {_BY_HAND}",
        ) from error
    return huggingface_hub


def _told(error: Exception, repository: str, revision: str) -> UsageError:
    """What went wrong, for a person; keys that a message might quote are blotted out."""
    errors = _library().errors
    where = repository + (f"@{revision}" if revision else "")
    if isinstance(error, errors.GatedRepoError):
        what = "its authors give it out on request"
        return UsageError(what, where=where, remedy="Ask for it on its page, then set HF_TOKEN and fetch again")
    if isinstance(error, errors.RevisionNotFoundError):
        return UsageError("it has no such revision", where=where, remedy="Check --revision")
    if isinstance(error, errors.RepositoryNotFoundError):
        what = "the hub has no such data set, or keeps it private"
        return UsageError(what, where=where, remedy="Check --repository; for a private one set HF_TOKEN")
    if isinstance(error, errors.HFValidationError):
        return UsageError("that is no name of a data set", where=where, remedy="It is OWNER/NAME")
    first = _SECRET.sub("hf_...", str(error).strip().partition("\n")[0]) or type(error).__name__
    if isinstance(error, errors.LocalEntryNotFoundError | errors.OfflineModeIsEnabled):
        what = "the hub could not be reached, and the data set is not in its cache whole"
        return UsageError(what, where=where, remedy=f"The same command again fetches what is missing; {_BY_HAND}")
    return UsageError(
        f"it could not be downloaded ({first})",
        where=where,
        remedy=f"The same command again fetches what is missing; {_BY_HAND}",
    )
