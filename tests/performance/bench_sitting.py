"""A participant's keys against a clock outside: when a trial was seen and when a key came, as stored and as sent.

Each trial is watched in a pseudo-terminal: when the end of the frame that shows it is read, and when the key is sent.
Stored are the onset and the time from it to the first change. What is compared is the time between the two.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tests.end_to_end.seats import Seat, study_file
from tests.performance.figures import figure
from tests.performance.ptys import FRAME_END
from tests.voila_data import small_voila_file

TRIALS = 30


def main() -> None:
    """Print the differences."""
    chances = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        data = small_voila_file(home, TRIALS, "ND")
        file = study_file(
            home,
            benchmark="voila:ND",
            data=f'data = "{data}"\npictures = "drawn"',
            protocol="direct",
            items="sample = 0",
            per_session=TRIALS,
        )
        outside: list[tuple[float, float]] = []
        with Seat(home, file, "--participant", "P01", size=(120, 40)) as seat:
            with suppress(OSError):  # the clock outside is not to wait for its turn; only the superuser may say so
                os.setpriority(os.PRIO_PROCESS, 0, -15)
            seat.see("I agree")
            seat.keys("1\r")
            seat.see("Answer what")
            seat.go_on()
            for number in range(1, TRIALS + 1):
                seen = _seen(seat, f" {number} of {TRIALS}".encode())
                seat._pty.quiet(10, 0.5 + chances.random())
                pressed = time.time()
                os.write(seat._pty._main, b"1")
                outside.append((seen, pressed))
                seat._pty.quiet(0.1)
                seat.raw("c\rs")
                seat._pty.quiet(0.1)
                seat.skip()
                seat.raw("\r")
            seat.see("That was all")
            stored = seat.rows(
                "SELECT json_extract(r.details, '$.onset_utc'), r.first_ms FROM responses AS r"
                " JOIN trials AS t ON t.id = r.trial ORDER BY t.position"
            )
    pairs = list(zip(stored, outside, strict=True))
    onset = [abs(at - seen * 1e3) for (at, _), (seen, _) in pairs]
    answered = [abs(first - (pressed - seen) * 1e3) for (_, first), (seen, pressed) in pairs]
    for what, found in (("onset", onset), ("onset to key", answered)):
        figure(f"{what} differs, median of {len(found)}", statistics.median(found), "ms")
        figure(f"{what} differs, 95th percentile", _share(found, 0.95), "ms")
    print(f"the machine's load meanwhile: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    spread = statistics.median(pressed - seen for seen, pressed in outside) * 1e3
    figure(
        "the 95th percentile of it", _share(answered, 0.95), "ms", against="the median time to the key", base=spread
    )


def _seen(seat: Seat, words: bytes) -> float:
    """When the frame with these words had been read to its end."""
    ends = time.monotonic() + 30
    while time.monotonic() < ends:
        at = seat._pty.output.find(words, seat._read)
        if at >= 0 and FRAME_END in seat._pty.output[at:]:
            return time.time()
        seat._pty._read(0.001)
    raise RuntimeError(f"{words!r} was never shown")


def _share(found: list[float], share: float) -> float:
    return sorted(found)[min(round(share * len(found)), len(found) - 1)]


if __name__ == "__main__":
    main()
