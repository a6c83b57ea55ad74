"""How much two captions have to do with each other: the cosine of their sentence embeddings (paper section 2.1).

The paper takes SentenceBERT. Here it is WordLlama, whose 16 MB of weights come inside its package, so that nothing is
fetched when it is used. Its cosines are its own: unrelated captions lie near 0, and 0.5 is about what captions of the
same kind of scene have.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from core.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACKAGE: Final = "wordllama"
WEIGHTS: Final = "l2_supercat_256"
_TOKENIZER: Final = "l2_supercat_tokenizer_config.json"


class Embedder(Protocol):
    """Turns texts into vectors of length 1, a row each; a text without words gives zeros."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


@cache
def word_llama() -> WordLlama:
    """The embeddings, loaded once. Raises UsageError where the package is not there."""
    return WordLlama()


class WordLlama:
    """WordLlama's embeddings. Raises UsageError where the package is not there."""

    def __init__(self) -> None:
        root = logging.getLogger()
        before, level = list(root.handlers), root.level
        try:
            import wordllama
            from safetensors import safe_open
            from wordllama.inference import WordLlamaInference
            from wordllama.tokenizers import tokenizer_from_file
        except ImportError as error:
            raise UsageError(
                f"comparing captions needs the package {PACKAGE} ({error})",
                where="make mmra",
                remedy="pip install 'phoropter[embeddings]'",
            ) from None
        finally:  # importing it sets the whole program's logging
            root.handlers[:] = before
            root.setLevel(level)
        # its own loader looks for the tokenizer in a folder of another name, and would fetch it
        weights = Path(wordllama.__file__).parent / "weights" / f"{WEIGHTS}.safetensors"
        with safe_open(str(weights), framework="np") as held:
            self._model: Any = WordLlamaInference(
                held.get_tensor("embedding.weight"), tokenizer_from_file(_TOKENIZER)
            )
        self.name = f"{PACKAGE} {version(PACKAGE)}, {WEIGHTS}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        with np.errstate(invalid="ignore"):
            found: NDArray[np.float32] = np.asarray(self._model.embed(list(texts), norm=True), dtype=np.float32)
        return np.nan_to_num(found)
