"""What is published where: repositories, sizes by the papers, licences as stated, how to cite. Facts only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from core.errors import UsageError


@dataclass(frozen=True, slots=True)
class Size:
    """How much a set holds by its paper. ``questions`` is counted over ``protocol``: the turns it asks of an item.

    ``groups`` maps a group's name to its values and how many items each has. ``note`` says what is known to differ.
    """

    items: int
    questions: int = 0
    protocol: str = ""
    groups: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """One benchmark's data as its authors published it.

    ``repository`` is the data set's name on the hub, "" where none is known. ``revision`` is the full commit it is
    pinned to; "" where no full one was known when this table was written: then the newest is looked up once, shown,
    and kept in the card, and is the pin from there on. ``seen`` is the short commit in which the data was last seen
    to change. ``licence`` is what its authors state, word for word, "" where nothing was found; ``terms`` says where
    that was looked for. ``sizes`` are by subset. ``within`` maps a subset to another that holds its items too.
    """

    name: str
    title: str
    project: str
    repository: str
    seen: str
    licence: str
    terms: str
    citation: str
    sizes: Mapping[str, Size]
    revision: str = ""
    within: Mapping[str, str] = field(default_factory=dict)


_ND_RULES: Final = ("1", "5", "9", "13", "15", "17", "19")
_PER_RULE: Final = 527

_VOILA = Published(
    name="voila",
    title="VOILA: Evaluation of MLLMs for Perceptual Understanding and Analogical Reasoning",
    project="github.com/nlylmz/Voila",
    repository="nlylmz/VOILA",
    seen="074b101",
    licence="cc",
    terms='The data set\'s page says "cc" without naming which Creative Commons licence; the code repository has no '
    "licence file. Check with the authors before you pass the data on.",
    citation="""@inproceedings{yilmaz2025voila,
  title = {Voila: Evaluation of {MLLM}s For Perceptual Understanding and Analogical Reasoning},
  author = {Nilay Yilmaz and Maitreya Patel and Yiran Lawrence Luo and Tejas Gokhale and Chitta Baral
            and Suren Jayasuriya and Yezhou Yang},
  booktitle = {The Thirteenth International Conference on Learning Representations},
  year = {2025},
  eprint = {2503.00043},
  archiveprefix = {arXiv},
}
""",
    sizes={
        "ND": Size(3_689, groups={"rule": dict.fromkeys(_ND_RULES, _PER_RULE)}),
        "WD": Size(10_013, groups={"rule": {str(rule): _PER_RULE for rule in range(1, 20)}}),
    },
    within={"ND": "WD"},
)

_VREX = Published(
    name="vrex",
    title="V-REX: Benchmarking Exploratory Visual Reasoning via Chain-of-Questions",
    project="github.com/tianyi-lab/VREX",
    repository="",
    seen="",
    licence="",
    terms="No licence was found. Its pictures come from PhysBench, MathVision, CV-Bench, InfographicQA, GeoGuessr "
    "and TimeGuessr (section 7 of the paper), which have terms of their own. Check before you pass the data on.",
    citation="""@misc{fan2025vrex,
  title = {{V-REX}: Benchmarking Exploratory Visual Reasoning via Chain-of-Questions},
  author = {Chenrui Fan and Yijun Liang and Shweta Bhardwaj and Kwesi Cobbina and Ming Li and Tianyi Zhou},
  year = {2025},
  eprint = {2512.11995},
  archiveprefix = {arXiv},
}
""",
    sizes={
        "": Size(
            702,
            questions=2_504,
            protocol="following",
            note="table 3 of the paper fits 351 samples, half of 702: planning and following may be counted apart",
        )
    },
)

_MMRA = Published(
    name="mmra",
    title="MMRA: A Benchmark for Evaluating Multi-Granularity and Multi-Image Relational Association Capabilities "
    "in Large Visual Language Models",
    project="github.com/Wusiwei0410/MMRA",
    repository="m-a-p/MMRA",
    seen="6d889c9",
    licence="",
    terms="Neither the data set's page nor the code repository stated a licence. Check with the authors before you "
    "pass the data on.",
    citation="""@misc{wu2024mmra,
  title = {{MMRA}: A Benchmark for Evaluating Multi-Granularity and Multi-Image Relational Association
           Capabilities in Large Visual Language Models},
  author = {Siwei Wu and Kang Zhu and Yu Bai and Yiming Liang and Yizhi Li and Haoning Wu and J.H. Liu
            and Ruibo Liu and Xingwei Qu and Xuxin Cheng and Ge Zhang and Wenhao Huang and Chenghua Lin},
  year = {2024},
  eprint = {2407.17379},
  archiveprefix = {arXiv},
}
""",
    sizes={
        "": Size(
            1_024,
            groups={
                "subtask": {
                    "RP": 81,
                    "US": 99,
                    "MS": 89,
                    "SM": 106,
                    "AS": 90,
                    "NSE": 63,
                    "Env": 90,
                    "LO": 90,
                    "SimE": 90,
                    "SubE": 100,
                    "OA": 126,
                }
            },
            note="an earlier version of the set had 1,026",
        )
    },
)

CATALOGUE: Final[Mapping[str, Published]] = {entry.name: entry for entry in (_VOILA, _VREX, _MMRA)}


def published(name: str) -> Published:
    """The entry of that name. Raises UsageError naming the nearest."""
    found = CATALOGUE.get(name.casefold())
    if found is not None:
        return found
    near = get_close_matches(name.casefold(), CATALOGUE, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(CATALOGUE)}"
    raise UsageError(f"no published data is known for {name}", remedy=hint)
