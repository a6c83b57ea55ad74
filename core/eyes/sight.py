"""The vision side first: it learns to tell what pictures show, through heads that are thrown away afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from core.drawing.palette import Dice
from core.eyes.album import Album, Pixels
from core.eyes.crew import PARTS
from core.eyes.curriculum import sight
from core.eyes.model import TEXT, look, normalised

SHARES: Final = {
    "voila": 0.64,
    "face": 0.06,
    "alone": 0.05,
    "shelf": 0.06,
    "quarters": 0.03,
    "sky": 0.015,
    "groups": 0.05,
    "marked": 0.02,
    "layout": 0.015,
    "place": 0.02,
    "view": 0.01,
    "moment": 0.01,
    "table": 0.02,
}
"""Of every batch: VOILA's contents above all."""

BATCH: Final = 64
_WIDTH: Final = int(str(TEXT["hidden_size"]))


def heads_for(values: Mapping[str, Sequence[str]]) -> Any:
    """One question to the picture's tokens for each name, and the odds of its values."""
    import torch
    from torch import nn

    class Heads(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.asked = nn.Parameter(torch.randn(len(values), _WIDTH) * 0.2)
            self.norm = nn.LayerNorm(_WIDTH)
            self.key = nn.Linear(_WIDTH, _WIDTH)
            self.odds = nn.ModuleList(nn.Linear(_WIDTH, len(known)) for known in values.values())

        def forward(self, tokens: Any) -> list[Any]:
            tokens = self.norm(tokens)
            where = (self.key(tokens) @ self.asked.T / _WIDTH**0.5).softmax(1)
            found = torch.einsum("bnk,bnd->bkd", where, tokens)
            return [odds(found[:, k]) for k, odds in enumerate(self.odds)]

    return Heads()


def targets(album: Album, numbers: Sequence[int]) -> Any:
    """(N, names): the place of each value seen, -100 where a picture does not show such a thing."""
    import torch

    places = [{value: k for k, value in enumerate(known)} for known in album.values.values()]
    rows = [
        [place.get(album.seen[number].get(name, ""), -100) for name, place in zip(album.values, places, strict=True)]
        for number in numbers
    ]
    return torch.tensor(rows)


class SightTask:
    """What the training loop needs: the parameters, the loss of a step, and how good it is."""

    def __init__(self, model: Any, album: Album) -> None:
        self.model, self.album = model, album
        self.heads = heads_for(album.values)

    @property
    def modules(self) -> Mapping[str, Any]:
        """What is learned here; the heads are needed only to go on."""
        inner = self.model.model
        return {"vision": inner.vision_model, "connector": inner.connector, "heads": self.heads}

    def groups(self) -> list[dict[str, Any]]:
        """All parameters, at the full rate."""
        return [{"params": [p for module in self.modules.values() for p in module.parameters()], "share": 1.0}]

    def learn(self, seed: object, step: int, part: int, progress: float) -> dict[str, float]:
        """Forward and backward of one part's pictures; the loss."""
        pixels, numbers = self._pictures(seed, step, part)
        loss = self._loss(pixels, targets(self.album, numbers))[0] / PARTS
        loss.backward()
        return {f"sight {part}": loss.item() * PARTS}

    def _pictures(self, seed: object, step: int, part: int) -> tuple[Pixels, list[int]]:
        return sight(self.album, BATCH // PARTS, Dice(seed, "sight", step, part), SHARES)

    def _loss(self, pixels: Any, gold: Any) -> tuple[Any, Any]:
        import torch

        with torch.autocast("cpu", torch.bfloat16):
            odds = self.heads(look(self.model, normalised(pixels)))
        losses, right = [], torch.full(gold.shape, -1)
        for k, row in enumerate(odds):
            known = gold[:, k] >= 0
            if known.any():
                share = known.float().mean()
                losses.append(torch.nn.functional.cross_entropy(row[known].float(), gold[known, k]) * share)
                right[known, k] = (row[known].argmax(-1) == gold[known, k]).long()
        return sum(losses), right

    def examined(self, batches: int = 6) -> dict[str, float]:
        """The share of pictures of which all is told right, VOILA's and the others."""
        import torch

        found: dict[str, list[float]] = {"voila": [], "others": []}
        with torch.no_grad():
            for step in range(batches):
                pixels, numbers = self._pictures("examined", step, 0)
                right = self._loss(pixels, targets(self.album, numbers))[1]
                for number, row in zip(numbers, right, strict=True):
                    kind = "voila" if self.album.kinds[number] == "voila" else "others"
                    found[kind].append(float((row[row >= 0] == 1).all()))
        return {name: sum(rights) / max(1, len(rights)) for name, rights in found.items()}
