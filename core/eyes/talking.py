"""The whole model: talks, of which it learns to say its own part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.eyes.album import Album
from core.eyes.crew import PARTS
from core.eyes.curriculum import STEPS, Batch, Stage, batches, encoder
from core.eyes.model import look, normalised


class TalkTask:
    """What the training loop needs: the parameters, the loss of a step, and how good it is."""

    def __init__(self, model: Any, tokenizer: Any, album: Album, stage: Stage) -> None:
        self.model, self.album, self.stage = model, album, stage
        self._encode = encoder(tokenizer)
        self._pad = tokenizer.pad_token_id

    @property
    def modules(self) -> Mapping[str, Any]:
        """The whole model."""
        return {"model": self.model}

    def groups(self) -> list[dict[str, Any]]:
        """The text side and the connector at the full rate, the vision side slower; in words alone the text side."""
        inner = self.model.model
        if not self.stage.slower:
            return [{"params": list(inner.text_model.parameters()), "share": 1.0}]
        rest = [*inner.text_model.parameters(), *inner.connector.parameters()]
        return [
            {"params": rest, "share": 1.0},
            {"params": list(inner.vision_model.parameters()), "share": self.stage.slower},
        ]

    def learn(self, seed: object, step: int, part: int, progress: float) -> dict[str, float]:
        """Forward and backward of one part's batches in turn; the losses by group and by step of a talk."""
        import torch

        told: dict[str, float] = {}
        for group, batch in self._batches(seed, step, part, self.stage.own(progress)):
            odds, gold, steps = self._said(batch, frozen=progress < self.stage.frozen)
            losses = torch.nn.functional.cross_entropy(odds, gold, reduction="none")
            # by step, so that a verdict of one word weighs as much as a long description
            each = {known: losses[steps == known].mean() for known in steps.unique().tolist()}
            sum(self.stage.weights.get(STEPS[known], 1.0) * loss for known, loss in each.items()).backward()
            told |= {f"{group} {STEPS[known]}": loss.item() for known, loss in each.items()}
        return told

    def _batches(self, seed: object, step: int, part: int, own: float) -> list[tuple[str, Batch]]:
        kinds = [kind for kind in self.stage.kinds if kind.part == part]
        return batches(kinds, self.album, self._encode, self._pad, seed, step, own)

    def _said(self, batch: Batch, *, frozen: bool) -> tuple[Any, Any, Any]:
        """The odds of the tokens to be learned, the tokens, and the step each is of."""
        import torch

        inner = self.model.model
        tokens, learned = torch.from_numpy(batch.tokens), torch.from_numpy(batch.learned)
        with torch.autocast("cpu", torch.bfloat16):
            embedded = inner.text_model.embed_tokens(tokens)
            if batch.pixels is not None:
                inner.vision_model.requires_grad_(not frozen)
                seen = look(self.model, normalised(batch.pixels))
                here = (tokens == self.model.config.image_token_id)[..., None]
                embedded = embedded.masked_scatter(here, seen.to(embedded.dtype))
            # padded on the right and causal: no mask is needed
            hidden = inner.text_model(inputs_embeds=embedded, use_cache=False).last_hidden_state
            known = learned[:, 1:] > 0
            odds = self.model.lm_head(hidden[:, :-1][known])
        return odds.float(), tokens[:, 1:][known], learned[:, 1:][known]

    def examined(self, steps: int = 2) -> dict[str, float]:
        """By group and step of a talk, the share of tokens that are right where all before them are given."""
        import torch

        found: dict[str, list[float]] = {}
        with torch.no_grad():
            for step in range(steps * PARTS):
                for group, batch in self._batches("examined", step // PARTS, step % PARTS, 1.0):
                    odds, gold, kinds = self._said(batch, frozen=True)
                    right = (odds.argmax(-1) == gold).float()
                    for kind in kinds.unique().tolist():
                        found.setdefault(f"{group} {STEPS[kind]}", []).append(right[kinds == kind].mean().item())
        return {name: sum(each) / len(each) for name, each in found.items()}
