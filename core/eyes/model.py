"""The model: an ordinary Idefics3 of three million parameters, its tokenizer and its processor."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from core.benchmarks.registry import BENCHMARKS
from core.drawing.palette import Dice
from core.eyes import wordings
from core.eyes.album import SIDE, Album
from core.eyes.curriculum import KINDS, Kind
from core.eyes.talks import END, IMAGE, PAD, PATCHES, START, TEMPLATE
from core.prompts import built_in

WORDS: Final = 1400
"""Entries of the vocabulary: nearly every word of the curriculum is one, and bytes spell the rest."""

SPECIAL: Final = (PAD, START, END, "<fake_token_around_image>", IMAGE, "<end_of_utterance>", "<global-img>")
CONTEXT: Final = 4096
VISION: Final = {
    "hidden_size": 160,
    "intermediate_size": 480,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "image_size": SIDE,
    "patch_size": 16,
}
TEXT: Final = {
    "model_type": "llama",
    "hidden_size": 192,
    "intermediate_size": 384,
    "num_hidden_layers": 4,
    "num_attention_heads": 6,
    "num_key_value_heads": 6,
    "max_position_embeddings": CONTEXT,
}


def _texts(album: Album, kinds: Sequence[Kind], talks: int) -> Iterator[str]:
    """What the vocabulary is made from: talks of every kind, and all prompts."""
    prompts = [text for name in BENCHMARKS for text in built_in(name).values()]
    for wording in (*wordings.VOILA, *wordings.MMRA, *wordings.VREX):
        prompts += wording.values()
    yield from prompts * 40
    yield from ("user assistant system " + " ".join(f"({letter}) [{letter}]" for letter in "ABCDEF"),) * 100
    for kind in kinds:
        for k in range(talks):
            for text, _ in kind.make(Dice("words", kind.name, k), album, 0.5).pieces:
                yield text.replace(START, "").replace(END, "").replace(IMAGE, "")


def tokenizer_from(album: Album, kinds: Sequence[Kind] = KINDS, talks: int = 300) -> Any:
    """Byte-level, so that any text can be read; made from so many talks of each kind."""
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=WORDS,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bpe.train_from_iterator(_texts(album, kinds, talks), trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        eos_token=END,
        pad_token=PAD,
        additional_special_tokens=list(SPECIAL[1:]),
        padding_side="left",
        model_max_length=CONTEXT,
        chat_template=TEMPLATE,
    )


def processor_with(tokenizer: Any) -> Any:
    """Pictures are stretched to one square of ``SIDE`` pixels, whatever their form."""
    import transformers

    pictures = transformers.Idefics3ImageProcessorPil(
        size={"longest_edge": SIDE}, max_image_size={"longest_edge": SIDE}, do_image_splitting=False
    )
    return transformers.Idefics3Processor(
        image_processor=pictures, tokenizer=tokenizer, chat_template=TEMPLATE, image_seq_len=PATCHES
    )


def new_model(tokenizer: Any) -> Any:
    """With random weights: seed torch before."""
    import torch
    import transformers

    ids = {
        "vocab_size": len(tokenizer),
        "eos_token_id": tokenizer.eos_token_id,
        "bos_token_id": None,
        "pad_token_id": tokenizer.pad_token_id,
        "tie_word_embeddings": True,
    }
    config = transformers.Idefics3Config(
        text_config={**TEXT, **ids},
        vision_config=dict(VISION),
        image_token_id=tokenizer.convert_tokens_to_ids(IMAGE),
        scale_factor=2,
        tie_word_embeddings=True,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = transformers.Idefics3ForConditionalGeneration(config)
    model.model.vision_model.set_attn_implementation("eager")  # a third less time for so few patches
    with torch.no_grad():  # from the usual 0.02 places are learned much later
        model.model.vision_model.embeddings.position_embedding.weight.normal_(0, 0.1)
    told = model.generation_config
    told.eos_token_id, told.pad_token_id, told.bos_token_id = tokenizer.eos_token_id, tokenizer.pad_token_id, None
    told.do_sample = False
    return model


def save(model: Any, tokenizer: Any, folder: Path) -> None:
    """The model in half the bytes, and its processor, as ``from_pretrained`` wants them, readable by all."""
    import copy

    import torch

    folder.mkdir(parents=True, exist_ok=True)
    half = copy.deepcopy(model).eval().to(torch.bfloat16)
    half.save_pretrained(folder)
    processor_with(tokenizer).save_pretrained(folder)
    for file in folder.iterdir():
        os.chmod(file, 0o644)  # noqa: PTH101


# -- the two ways through the model that training takes


def look(model: Any, pixels: Any) -> Any:
    """Pictures (N, 3, SIDE, SIDE), from -1 to 1, as ``PATCHES`` tokens each (N, PATCHES, hidden).

    The same as the model's own way for whole squares, without its masks.
    """
    vision = model.model.vision_model
    made = vision.embeddings
    hidden = made.patch_embedding(pixels).flatten(2).transpose(1, 2) + made.position_embedding.weight[None]
    hidden = vision.encoder(inputs_embeds=hidden, attention_mask=None).last_hidden_state
    return model.model.connector(vision.post_layernorm(hidden))


def normalised(pixels: Any) -> Any:
    """Bytes (N, SIDE, SIDE, 3) as the processor scales them."""
    import torch

    return (torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 255 - 0.5) / 0.5
