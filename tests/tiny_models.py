"""Models of a megabyte with random weights, made from their configuration: real classes, no download.

Their words make no sense, but they are the same every time, and they change with every picture and word.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from core.respondents.local.processors import image_only

CORPUS: Final = [
    "The quick brown fox jumps over the lazy dog.",
    "Which picture shows a red square? Answer with the letter A, B, C, D or E.",
    "user assistant system question answer image first second third left right yes no true false",
    '0 1 2 3 4 5 6 7 8 9 (A) (B) (C) (D) (E) {"answer": "A"}',
] * 20

TEMPLATE: Final = (
    "{%- for m in messages -%}{{ '<|im_start|>' + m['role'] + '\n' }}"
    "{%- if m['content'] is string -%}{{ m['content'] }}"
    "{%- else -%}{%- for c in m['content'] -%}"
    "{%- if c['type'] in ('image', 'image_url') -%}@IMAGE@"
    "{%- elif c['type'] == 'text' -%}{{ c['text'] }}{%- endif -%}"
    "{%- endfor -%}{%- endif -%}{{ '<|im_end|>\n' }}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\n' }}{%- endif -%}"
)
ONE_PICTURE: Final = (
    "{%- set seen = namespace(n=0) -%}{%- for m in messages if m['content'] is not string -%}"
    "{%- for c in m['content'] if c['type'] == 'image' -%}{%- set seen.n = seen.n + 1 -%}{%- endfor -%}{%- endfor -%}"
    "{%- if seen.n > 1 -%}{{ raise_exception('Only one image is supported') }}{%- endif -%}"
)
"""Put before a template: the template of a model that takes one picture."""

TEXT: Final = {
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 8192,
}
EYES: Final = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "image_size": 56,
    "patch_size": 14,
}


def tokenizer_of(extra: list[str], image: str = "", size: int = 512) -> Any:
    """Byte-level, so that any text can be encoded, with a ChatML template."""
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *extra]
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bpe.train_from_iterator(CORPUS, trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=special[1:],
        model_max_length=8192,
        chat_template=TEMPLATE.replace("@IMAGE@", image),
    )


def _ids(tokenizer: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer),
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
        "bos_token_id": None,
    }


def _idefics3() -> tuple[Any, Any]:
    rows = [f"<row_{row}_col_{column}>" for row in range(1, 7) for column in range(1, 7)]
    extra = ["<fake_token_around_image>", "<image>", "<end_of_utterance>", "<global-img>", *rows]
    tokenizer = tokenizer_of(extra, "<image>", 560)
    config = transformers.Idefics3Config(
        text_config={**TEXT, "model_type": "llama", **_ids(tokenizer)},
        vision_config=dict(EYES),
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        scale_factor=2,
    )
    pictures = transformers.Idefics3ImageProcessorPil(size={"longest_edge": 112}, max_image_size={"longest_edge": 56})
    processor = transformers.Idefics3Processor(
        pictures, tokenizer, image_seq_len=4, chat_template=tokenizer.chat_template
    )
    return transformers.Idefics3ForConditionalGeneration(config), processor


def _llava() -> tuple[Any, Any]:
    tokenizer = tokenizer_of(["<image>"], "<image>")
    config = transformers.LlavaConfig(
        text_config={**TEXT, "model_type": "qwen2", **_ids(tokenizer)},
        vision_config={**EYES, "model_type": "clip_vision_model", "num_hidden_layers": 3, "projection_dim": 32},
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        image_seq_length=16,
    )
    pictures = transformers.CLIPImageProcessorPil(size={"shortest_edge": 56}, crop_size={"height": 56, "width": 56})
    processor = transformers.LlavaProcessor(
        pictures,
        tokenizer,
        patch_size=14,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=tokenizer.chat_template,
    )
    return transformers.LlavaForConditionalGeneration(config), processor


def _qwen2_5_vl() -> tuple[Any, Any]:
    image = "<|vision_start|><|image_pad|><|vision_end|>"
    tokenizer = tokenizer_of(["<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"], image)
    token = tokenizer.convert_tokens_to_ids
    config = transformers.Qwen2_5_VLConfig(
        text_config={
            **TEXT,
            **_ids(tokenizer),
            "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 3, 3]},
        },
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_heads": 2,
            "patch_size": 14,
            "spatial_merge_size": 2,
            "temporal_patch_size": 2,
            "window_size": 56,
            "fullatt_block_indexes": [1],
            "out_hidden_size": 64,
        },
        image_token_id=token("<|image_pad|>"),
        video_token_id=token("<|video_pad|>"),
        vision_start_token_id=token("<|vision_start|>"),
        vision_end_token_id=token("<|vision_end|>"),
    )
    pictures = transformers.Qwen2VLImageProcessorPil(size={"shortest_edge": 28 * 28, "longest_edge": 16 * 28 * 28})
    cls, video = transformers.Qwen2_5_VLProcessor, {}
    if transformers.utils.is_torchvision_available():
        video = {"video_processor": transformers.Qwen2VLVideoProcessor()}
    else:
        cls = image_only(cls)
    processor = cls(image_processor=pictures, tokenizer=tokenizer, chat_template=tokenizer.chat_template, **video)
    return transformers.Qwen2_5_VLForConditionalGeneration(config), processor


def _llama() -> tuple[Any, Any]:
    tokenizer = tokenizer_of([])
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**TEXT, **_ids(tokenizer))), tokenizer


FAMILIES: Final[dict[str, Callable[[], tuple[Any, Any]]]] = {
    "idefics3": _idefics3,
    "llava": _llava,
    "qwen2_5_vl": _qwen2_5_vl,
    "llama": _llama,
}
"""``llama`` reads text alone; ``qwen2_5_vl`` is of the kind whose processor wants torchvision."""


def build(family: str, folder: Path, *, one_picture: bool = False, ends: bool = True) -> Path:
    """Write a model of the family into the folder. Same call, same weights.

    ``one_picture``: its template refuses a second one. Answers end after some forty
    tokens, each at another; without ``ends`` they go on to the limit.
    """
    torch.manual_seed(0)
    model, processor = FAMILIES[family]()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.normal_(0, 0.15)  # far from flat, so that rounding never turns the greedy choice
    tokenizer = getattr(processor, "tokenizer", processor)
    end = tokenizer.eos_token_id
    model.generation_config.eos_token_id = [end, *range(300, len(tokenizer), 20)] if ends else end
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    model.generation_config.bos_token_id = None
    if one_picture:
        processor.chat_template = ONE_PICTURE + processor.chat_template
    model.eval().save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder
