"""The running batches in one line of the main screen; none where there has been none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Static

from tui.inert import one_line

if TYPE_CHECKING:
    from tui.state.bench import Bench


class BatchLine(Static):
    """Draws itself when it is asked whether anything has come."""

    def __init__(self, bench: Bench | None) -> None:
        super().__init__("", id="batch-line", markup=False)
        self.display = False
        self._bench = bench

    def on_resize(self) -> None:
        self._show()

    def stirred(self) -> bool:
        """Whether there is news since this was asked last; the line is up to date then. Tells of ended batches."""
        bench = self._bench
        if bench is None or not bench.batches:
            return False
        for batch in bench.newly_ended():
            failed = f", {batch.failed:,} failed" if batch.failed else ""
            self.notify(one_line(f"{batch.name}: {batch.state}{failed}"), timeout=5, markup=False)
        self._show()
        news, bench.news = bench.news, False
        return news

    def _show(self) -> None:
        if self._bench is None or not self._bench.batches:
            return
        from tui.state.batch_words import line

        words = line(self._bench.batches, max(self.screen.size.width - 2, 10))
        self.display = True
        if words != str(self.content):
            self.update(words, layout=False)  # one line, whatever it says: laying the screen out costs the most
