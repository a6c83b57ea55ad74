"""``phoropter make mmra``: pairs by their captions, annotated, reviewed, checked for leakage (MMRA, 2.1 to 2.4)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.benchmarks.mmra.described import read_beside
from core.curation.mmra import pairs
from core.curation.mmra.export import question_of, write, write_candidates
from core.curation.mmra.load import NAME
from core.curation.mmra.protocol import CAPTION, Annotate
from core.curation.mmra.similarity import word_llama
from core.errors import DataError, UsageError
from core.fetching.kinds import PICTURES
from core.planning import Request
from core.records import Item
from core.respondents.people import PEOPLE
from sessions.curating.leaking import at_the_check, put_down, to_be_checked
from sessions.curating.state import ACCEPTED, Standing
from tui.cli.ending import BrokenOff, Interrupted
from tui.cli.interrupting import run_until_done
from tui.cli.making.going import Gone, How, ended, finish, go
from tui.cli.making.leakage import Found, found_by
from tui.cli.output import say
from tui.counting import counted

if TYPE_CHECKING:
    from core.benchmarks.mmra.question import Question
    from core.config import Config
    from sessions.store import Store


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be made from a folder of pictures. ``annotator`` and ``captioner`` are respondents' names."""

    pictures: Path
    annotator: str = PEOPLE
    captioner: str = ""
    text_only: tuple[str, ...] = ()
    subtasks: tuple[str, ...] = ()
    each: int = pairs.PER_SUBTASK
    similarity: float = pairs.THRESHOLD
    reviews: int = 1
    seed: int = 0
    prompts: Path | None = None


def make_mmra_items(wanted: Wanted, how: How) -> int:
    """Run or resume the pipeline. Its working files stand beside the set's folder, in FOLDER.work."""
    if how.out is None:
        raise UsageError("where to?", where="--out", remedy="Name a new folder with --out FOLDER")
    settings = how.settings()
    subtasks = pairs.known_subtasks(wanted.subtasks)
    try:
        with how.opened(settings) as store:
            work = work_folder(how.out)
            captions, captioned = _captions(store, wanted, work, how, settings)
            if captions is None:
                return 1
            embedder = word_llama()
            names = list(captions)
            similar = pairs.similar(list(captions.values()), embedder, wanted.similarity)
            chosen = list(pairs.choose(similar, subtasks, wanted.each, wanted.seed))
            say(f"{counted(len(similar), 'pair')} of {counted(len(names), 'picture')} are similar enough")
            file = work / "pairs.jsonl"
            _write_lines(file, [_pair(pair, names, captions) for pair in chosen])
            request = Request(
                NAME,
                data=file,
                pictures=str(wanted.pictures),
                options={"reviews": str(wanted.reviews), "seed": str(wanted.seed)},
                prompts=wanted.prompts,
                respondent=wanted.annotator,
                respondents_at={"leak": PEOPLE, **({"review": PEOPLE} if wanted.reviews else {})},
            )
            gone, leaks = _until_checked(store, request, wanted, work, how, settings)
            more = {
                "similarity": {"embeddings": embedder.name, "least": wanted.similarity, "pairs": len(similar)},
                "captions": captioned,
                "leakage": leaks.to_json() if leaks is not None else None,
            }

            def written(out: Path) -> Path:
                making = replace(gone.making(how), seed=wanted.seed)
                return write(out, _made(gone, gone.of(ACCEPTED)), making, gone.counts, **more)

            return finish(gone, how, written, more={"leakage": more["leakage"]})
    except (Interrupted, BrokenOff) as by:
        return ended(by, how)


def work_folder(out: Path) -> Path:
    """Where the pipeline keeps the files that its runs are made on. Raises UsageError."""
    work = out.with_name(f"{out.name}.work")
    try:
        work.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise UsageError(f"the working folder cannot be made ({error.strerror})", where=str(work)) from error
    return work


# -- captions


def _captions(
    store: Store, wanted: Wanted, work: Path, how: How, settings: Config
) -> tuple[dict[str, str] | None, dict[str, object]]:
    """Caption by picture name, those that nobody has captioned yet made now (None where that failed), and whose they
    are."""
    if not wanted.pictures.is_dir():
        raise UsageError("there is no such folder of pictures", where=str(wanted.pictures))
    files = (file for file in wanted.pictures.rglob("*") if file.suffix.lower() in PICTURES and file.is_file())
    names = sorted(file.relative_to(wanted.pictures).as_posix() for file in files)
    if len(names) < 2:
        raise UsageError("the folder holds no two pictures", where=str(wanted.pictures))
    described = read_beside(wanted.pictures / "pictures")
    if described.problems:
        raise DataError(described.problems)
    found = {name: described.by_name.get(name) or described.by_name.get(Path(name).name) or "" for name in names}
    missing = [name for name in names if not found[name]]
    whose: dict[str, object] = {"given": len(names) - len(missing), "made": len(missing)}
    if not missing:
        return found, whose
    if not wanted.captioner:
        raise UsageError(
            f"{counted(len(missing), 'picture')} have no caption, such as {missing[0]}",
            where=str(wanted.pictures),
            remedy="Name who writes them with --captioner NAME, or put them into descriptions.jsonl there",
        )
    file = work / "pictures.jsonl"
    _write_lines(file, [{"id": name, "image": name} for name in missing])
    request = Request(
        NAME,
        data=file,
        pictures=str(wanted.pictures),
        protocol=CAPTION,
        prompts=wanted.prompts,
        respondent=wanted.captioner,
    )
    gone = go(store, request, replace(how, name=""), settings)
    for one in gone.found:
        said = " ".join(one.trajectory.steps[-1].answer.text.split()) if one.trajectory.steps else ""
        found[one.trajectory.item.pictures[0].name] = said
    if len(gone.of(ACCEPTED)) < len(missing):
        say(f"{gone.run.name}: not all pictures have a caption; the same command asks for the others again")
        return None, whose
    return found, whose | {"by": gone.making(how).respondents["default"]}


def _pair(pair: pairs.Pair, names: Sequence[str], captions: Mapping[str, str]) -> dict[str, object]:
    first, second = names[pair.first], names[pair.second]
    return {
        "id": pair.id,
        "subtask": pair.subtask,
        "image1": first,
        "image2": second,
        "caption1": captions[first],
        "caption2": captions[second],
        "similarity": pair.similarity,
    }


def _write_lines(file: Path, rows: Sequence[Mapping[str, object]]) -> None:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


# -- leakage


def _until_checked(
    store: Store, request: Request, wanted: Wanted, work: Path, how: How, settings: Config
) -> tuple[Gone, Found | None]:
    """Ask, and check what is ready, until nothing that leaks comes back to a respondent; people's turns end it."""
    leaks = None
    while True:
        gone = go(store, request, how, settings)
        asked = to_be_checked(gone.found)
        if not asked:
            return gone, leaks
        ready = at_the_check(gone.found)
        made = _made(gone, asked)
        file = work / "candidates.json"
        write_candidates(file, made)
        leaks = found_by(store, file, made, wanted.text_only, replace(how, name=""), settings, seed=wanted.seed)
        if leaks is None:
            return gone, None
        back = {id_: why for id_, why in leaks.back.items() if id_ in {one.trajectory.item.id for one in ready}}
        run_until_done(put_down(store, gone.run, gone.plan, ready, back))
        say(f"leakage: {leaks.line()}; {counted(len(back), 'item')} sent back")


def _made(gone: Gone, standings: Sequence[Standing]) -> list[tuple[Item, Question]]:
    protocol = gone.plan.protocol
    assert isinstance(protocol, Annotate)
    seed = int(protocol.options["seed"])
    made = []
    for one in standings:
        found = protocol.annotated(one.trajectory.steps)
        assert found is not None
        made.append((one.trajectory.item, question_of(one.trajectory.item, found, seed)))
    return made
