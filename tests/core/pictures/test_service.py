"""What is sent is what is shown, made once, and as the file has it wherever a server can take it."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import random
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from core.errors import PictureError
from core.pictures import SENT_PIXELS, NotAtHandError, Pictures, loading, sending, service
from core.pictures.caching import ByteCache
from core.pictures.room import FLATTENED, Room
from core.pictures.service import KEPT
from core.records import Item, Picture, Show
from tests.changing import overwritten
from tests.core.pictures.test_loading import one_bit_png

ONE = Show((0,))


def item(pictures: Sequence[Picture], item_id: str = "voila-1") -> Item:
    return Item("voila", "test", item_id, tuple(pictures), {}, {})


def save(path: Path, image: Image.Image, kind: str, **options: object) -> Item:
    image.save(path, kind, **options)
    return item([Picture(path.name, str(path))])


def decoded(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


@pytest.mark.parametrize(
    ("name", "kind", "mime"),
    [
        ("a.webp", "WEBP", "image/webp"),  # im01
        ("a.png", "JPEG", "image/jpeg"),  # im02
        ("a.jpg", "PNG", "image/png"),
        ("a.gif", "GIF", "image/gif"),
    ],
)
def test_bytes_are_sent_as_they_stand_under_the_type_they_have(
    tmp_path: Path, name: str, kind: str, mime: str
) -> None:
    question = save(tmp_path / name, Image.new("RGB", (30, 20), "blue"), kind)
    sent = Pictures().sent(question, ONE)
    data = (tmp_path / name).read_bytes()
    assert (sent.mime, sent.data, sent.size, sent.name) == (mime, data, (30, 20), name)
    assert sent.hash == hashlib.sha256(data).hexdigest()


def test_a_rotated_photograph_is_sent_upright_and_without_exif(tmp_path: Path) -> None:
    """im04"""
    exif = Image.Exif()
    exif[0x0112] = 6
    question = save(tmp_path / "a.jpg", Image.new("RGB", (600, 400), "red"), "JPEG", exif=exif)
    sent = Pictures().sent(question, ONE)
    assert sent.size == (400, 600)
    assert decoded(sent.data).size == (400, 600)
    assert decoded(sent.data).getexif().get(0x0112) is None


def test_a_picture_above_the_budget_is_scaled_down_and_its_size_is_remembered(tmp_path: Path) -> None:
    """im07"""
    question = save(tmp_path / "a.png", Image.new("L", (5121, 5121)), "PNG")
    sent = Pictures().sent(question, ONE)
    assert sent.size[0] * sent.size[1] <= SENT_PIXELS == 26_214_400
    assert sent.size[0] == sent.size[1]
    assert sent.original_size == (5121, 5121)


def test_a_respondent_may_have_a_smaller_budget(tmp_path: Path) -> None:
    question = save(tmp_path / "a.png", Image.new("RGB", (400, 100)), "PNG")
    pictures = Pictures()
    assert pictures.sent(question, ONE, max_pixels=10_000).size == (200, 50)
    assert pictures.sent(question, ONE).size == (400, 100)


@pytest.mark.parametrize("kind", ["TIFF", "BMP"])
def test_kinds_that_servers_refuse_are_sent_as_png(tmp_path: Path, kind: str) -> None:
    """im13"""
    question = save(tmp_path / "a.tiff", Image.new("RGB", (30, 20), "green"), kind)
    sent = Pictures().sent(question, ONE)
    assert sent.mime == "image/png"
    assert decoded(sent.data).format == "PNG"
    assert decoded(sent.data).getpixel((3, 3)) == (0, 128, 0)


def test_heic_without_a_decoder_is_named_with_the_file(tmp_path: Path) -> None:
    """im13"""
    path = tmp_path / "a.heic"
    path.write_bytes(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic")
    with pytest.raises(PictureError, match=r"a\.heic.*HEIC.*decoder.*pillow-heif"):
        Pictures().sent(item([Picture("a.heic", str(path))]), ONE)


@pytest.mark.parametrize(
    ("mode", "kind"), [("CMYK", "JPEG"), ("I;16", "PNG"), ("RGBA", "PNG"), ("LA", "PNG"), ("RGBA", "WEBP")]
)
def test_what_readers_would_see_differently_is_sent_as_plain_rgb(tmp_path: Path, mode: str, kind: str) -> None:
    question = save(tmp_path / "a", Image.new(mode, (8, 8)), kind)
    sent = Pictures().sent(question, ONE)
    assert (sent.mime, decoded(sent.data).mode) == ("image/png", "RGB")


def test_an_opaque_alpha_channel_changes_nothing(tmp_path: Path) -> None:
    question = save(tmp_path / "a.png", Image.new("RGBA", (8, 8), "red"), "PNG")
    assert Pictures().sent(question, ONE).data == (tmp_path / "a.png").read_bytes()


def test_of_an_animation_the_first_frame_is_sent(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    question = save(tmp_path / "a.gif", frames[0], "GIF", save_all=True, append_images=frames[1:])
    sent = Pictures().sent(question, ONE)
    assert sent.mime == "image/png"
    assert decoded(sent.data).getpixel((0, 0)) == (255, 0, 0)


def test_a_collage_is_a_row_on_white_at_one_height_and_always_the_same_bytes(tmp_path: Path) -> None:
    Image.new("RGB", (40, 20), "red").save(tmp_path / "1.png")
    Image.new("RGB", (40, 40), "blue").save(tmp_path / "2.png")
    question = item([Picture(n, str(tmp_path / n)) for n in ("1.png", "2.png")])
    sent = Pictures().sent(question, Show((0, 1)))
    row = decoded(sent.data)
    assert sent.size == row.size == (40 + 16 + 20, 20)
    assert [row.getpixel((x, 10)) for x in (5, 48, 60)] == [(255, 0, 0), (255, 255, 255), (0, 0, 255)]
    assert (sent.mime, sent.name) == ("image/png", "1.png + 2.png")
    assert Pictures().sent(question, Show((0, 1))).hash == sent.hash
    assert Pictures().sent(question, Show((1, 0))).hash != sent.hash


def test_the_screen_shows_what_is_sent(tmp_path: Path) -> None:
    question = save(tmp_path / "a.png", Image.linear_gradient("L"), "PNG")
    pictures = Pictures()
    shown = pictures.image(question, ONE)
    assert shown.tobytes() == decoded(pictures.sent(question, ONE).data).convert("RGB").tobytes()
    assert pictures.image(question, ONE) is shown
    assert pictures.image(question, ONE, max_side=64).size == (64, 64)


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    pictures = Pictures()
    question = save(path, Image.new("RGB", (8, 8), "red"), "PNG")
    before = pictures.sent(question, ONE)
    assert pictures.sent(question, ONE) is before
    save(path, Image.new("RGB", (8, 8), "blue"), "PNG")
    os.utime(path, ns=(1, 1))
    assert pictures.sent(question, ONE).hash != before.hash
    path.unlink()
    with pytest.raises(PictureError, match="missing"):
        pictures.sent(question, ONE)


def test_embedded_bytes_need_no_file() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8)).save(buffer, "PNG")
    sent = Pictures().sent(item([Picture("a", data=buffer.getvalue())]), ONE)
    assert sent.data == buffer.getvalue()


def test_each_picture_is_encoded_once(tmp_path: Path) -> None:
    question = save(tmp_path / "a.png", Image.new("RGB", (8, 8)), "PNG")
    pictures = Pictures()
    sent = pictures.sent(question, ONE)
    assert base64.b64decode(pictures.base64(sent)) == sent.data
    assert pictures.base64(sent) is pictures.base64(sent)


def test_pictures_are_drawn_from_their_words_and_no_file_is_read() -> None:
    drawn: list[tuple[str, str]] = []

    def draw(depicts: str, name: str) -> Image.Image | None:
        drawn.append((depicts, name))
        return Image.new("RGB", (32, 32), "green") if "hamster" in depicts else None

    pictures = Pictures(drawer=draw)
    question = item(
        [
            Picture("a.png", "/nowhere/a.png", "two hamsters walking"),
            Picture("b.png", "/nowhere/b.png", "a rock"),
            Picture("c.png", "/nowhere/c.png"),
        ]
    )
    assert pictures.sent(question, ONE).size == (32, 32)
    pictures.sent(question, ONE)
    assert drawn == [("two hamsters walking", "a.png")]
    with pytest.raises(PictureError, match="'a rock' cannot be drawn"):
        pictures.sent(question, Show((1,)))
    assert [problem.file for problem in pictures.problems([question])[question.id]] == ["c.png"]
    assert pictures.identity["drawn"] is True


def test_before_a_run_everything_missing_empty_or_foreign_is_listed(tmp_path: Path) -> None:
    """im15"""
    good = tmp_path / "good.png"
    Image.new("RGB", (8, 8)).save(good)
    (tmp_path / "empty.png").touch()
    (tmp_path / "note.png").write_text("only words")
    names = ["missing/1.png", "good.png", "empty.png", "note.png"]
    first = item([Picture(name, str(tmp_path / name)) for name in names], "voila-1")
    second = item([Picture("missing/1.png", str(tmp_path / "missing/1.png")), Picture("unknown.png")], "voila-2")
    third = item([Picture("good.png", str(good))], "voila-3")
    found = Pictures().problems([first, second, third])
    assert list(found) == ["voila-1", "voila-2"]
    assert found["voila-1"][0] is found["voila-2"][0]
    told = [str(problem) for problem in dict.fromkeys(problem for of_item in found.values() for problem in of_item)]
    assert len(told) == 4
    assert "missing/1.png, item voila-1: the picture is missing" in told[0]
    assert "0 bytes" in told[1]
    assert "no picture" in told[2]
    assert "unknown.png, item voila-2: no file is known" in told[3]


def test_a_file_is_opened_once_before_a_run_and_again_where_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = save(tmp_path / "a.png", Image.new("RGB", (8, 8)), "PNG")
    missing = item([Picture("b.png", str(tmp_path / "b.png"))])
    opened: list[str] = []
    really = os.open
    monkeypatch.setattr(os, "open", lambda path, *rest: opened.append(str(path)) or really(path, *rest))
    pictures = Pictures()
    assert pictures.problems([question]) == {}
    looked_at = pictures.content([question, missing])
    assert opened == [str(tmp_path / "a.png")]
    assert looked_at == Pictures().content([question, missing])
    assert pictures.problems([question]) == {}
    before = os.stat(tmp_path / "a.png").st_mtime_ns  # noqa: PTH116
    Image.new("RGB", (8, 8), "red").save(tmp_path / "a.png")
    os.utime(tmp_path / "a.png", ns=(before + 1, before + 1))
    assert pictures.content([question, missing]) == Pictures().content([question, missing]) != looked_at


def test_a_picture_the_item_lacks_is_an_error() -> None:
    with pytest.raises(PictureError, match="no picture 3"):
        Pictures().sent(item([Picture("a.png")]), Show((2,)))


def test_pictures_of_trajectories_under_way_are_kept_and_no_more(tmp_path: Path) -> None:
    """What a long run has sent is not held till its end; whoever asks for what is not held is told."""
    pictures = []
    for number in range(KEPT + 1):
        Image.new("RGB", (2, 2), (number % 256, number // 256, 0)).save(tmp_path / f"{number}.png")
        pictures.append(Picture(f"{number}.png", str(tmp_path / f"{number}.png")))
    shown = item(pictures)
    few, many = Pictures(), Pictures()
    many.expect(KEPT)
    kept = [[service.sent(shown, Show((number,))) for number in range(KEPT + 1)] for service in (few, many)]
    assert many.sent(shown, Show((0,)), load=False) is kept[1][0]
    with pytest.raises(NotAtHandError):
        few.sent(shown, Show((0,)), load=False)
    assert few.sent(shown, Show((0,))) == kept[0][0]


def test_a_jpeg_is_read_to_its_end_and_sent_as_it_is(tmp_path: Path) -> None:
    """It is looked through in an eighth of its size: the size told is the file's, and damage shows."""
    file = tmp_path / "a.jpg"
    Image.effect_noise((203, 101), 80).convert("RGB").save(file, quality=90)
    found = Pictures().sent(item([Picture("a.jpg", str(file))]), Show((0,)))
    assert (found.size, found.original_size, found.data) == ((203, 101), (203, 101), file.read_bytes())
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(PictureError, match="torn"):
        Pictures().sent(item([Picture("a.jpg", str(file))]), Show((0,)))
    turned = Image.effect_noise((203, 101), 80)
    exif = Image.Exif()
    exif[0x0112] = 6
    turned.save(file, quality=90, exif=exif)
    found = Pictures().sent(item([Picture("a.jpg", str(file))]), Show((0,)))
    assert (found.mime, found.size) == ("image/png", (101, 203))


def test_the_cache_stays_within_its_bytes() -> None:
    cache: ByteCache[str] = ByteCache(100)
    for number in range(10):
        cache.put(number, str(number), 30)
    assert (cache.weight, len(cache)) == (90, 3)
    assert cache.get(9) == "9"
    assert cache.get(0) is None
    cache.put("heavy", "x", 101)
    assert cache.get("heavy") is None
    assert cache.get(9) == "9"


def test_many_threads_get_the_same_picture(tmp_path: Path) -> None:
    questions = [save(tmp_path / f"{n}.png", Image.new("RGB", (16, 16), (n, 0, 0)), "PNG") for n in range(8)]
    pictures = Pictures(cache_bytes=400)
    with ThreadPoolExecutor(8) as threads:
        sent = list(threads.map(lambda n: pictures.sent(questions[n % 8], ONE), range(200)))
    assert all(picture.name == f"{n % 8}.png" for n, picture in enumerate(sent))
    assert pictures.sent(questions[0], ONE).data == (tmp_path / "0.png").read_bytes()


def test_a_blank_picture_has_the_size_of_the_one_it_stands_for_and_shows_nothing(tmp_path: Path) -> None:
    Image.new("RGB", (40, 30), "red").save(tmp_path / "a.png")
    question = item([Picture("a.png", str(tmp_path / "a.png"))])
    pictures = Pictures()
    blank = pictures.sent(question, Show((0,), blank=True))
    assert blank.size == (40, 30)
    assert pictures.image(question, Show((0,), blank=True)).getcolors() == [(1200, (128, 128, 128))]
    assert blank.hash != pictures.sent(question, Show((0,))).hash


def test_a_picture_overwritten_in_place_is_sent_and_fingerprinted_anew(tmp_path: Path) -> None:
    """Also where its size and time were put back."""
    file = tmp_path / "a.bmp"
    question = save(file, Image.new("RGB", (4, 4), "red"), "BMP")
    pictures = Pictures()
    assert pictures.problems([question]) == {}
    red, before = pictures.sent(question, ONE), Pictures().content([question])
    overwritten(file, bytes((0, 0, 255)) * 4, bytes((255, 0, 0)) * 4)
    assert pictures.content([question]) == Pictures().content([question]) != before
    assert pictures.sent(question, ONE).data == Pictures().sent(question, ONE).data != red.data


def test_what_the_beginning_does_not_show_is_found_where_the_whole_is_looked_at(tmp_path: Path) -> None:
    """A bomb, what is torn, and what was a picture once; without a word of where it lay in memory."""
    noise = Image.frombytes("RGB", (64, 64), random.Random(1).randbytes(64 * 64 * 3))
    items = {kind: save(tmp_path / f"good.{kind}", noise, kind) for kind in ("png", "jpeg", "gif", "bmp")}
    for kind in tuple(items):
        data = (tmp_path / f"good.{kind}").read_bytes()
        (tmp_path / f"torn.{kind}").write_bytes(data[: len(data) // 2])
    (tmp_path / "torn.webp").write_bytes(b"RIFF\0\0\0\0WEBP" + b"x" * 50)
    (tmp_path / "bomb.png").write_bytes(one_bit_png(9000, 9000))
    bad = [item([Picture(path.name, str(path))], path.name) for path in sorted(tmp_path.glob("[tb]o*.*"))]
    pictures = Pictures()
    assert pictures.problems([*items.values(), *bad]) == {}
    found = pictures.problems([*items.values(), *bad], whole=True)
    assert set(found) == {"bomb.png", "torn.bmp", "torn.gif", "torn.jpeg", "torn.png", "torn.webp"}
    assert "too many" in found["bomb.png"][0].what
    for name, (problem,) in found.items():
        assert "0x" not in problem.what
        with pytest.raises(PictureError) as refused:
            pictures.sent(next(one for one in bad if one.id == name), Show((0,)))
        assert refused.value.what == problem.what
        assert "--skip-bad" in refused.value.remedy


def test_pictures_that_many_threads_want_are_decoded_within_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(3 * 100 * 100 * FLATTENED)
    for module in (loading, sending, service):
        monkeypatch.setattr(module, "ROOM", room)
    inside, most, lock = 0, 0, threading.Lock()
    flattened = loading._flattened

    def watched(image: Image.Image, max_side: int | None) -> Image.Image:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        time.sleep(0.01)
        made = flattened(image, max_side)
        with lock:
            inside -= 1
        return made

    monkeypatch.setattr(loading, "_flattened", watched)
    for number in range(16):
        Image.new("RGBA", (100, 100), (number, 0, 0, 9)).save(tmp_path / f"{number}.png")
    all_of_them = [Picture(str(number), str(tmp_path / f"{number}.png")) for number in range(16)]
    pictures = Pictures()
    with ThreadPoolExecutor(16) as threads:
        list(threads.map(lambda one: pictures.sent(item([one]), Show((0,))), all_of_them))
    assert most == 3
    many = item(all_of_them)  # alone, and more than there is room for
    assert pictures.sent(many, Show(tuple(range(16)))).original_size[0] >= 1600
    assert not room._taken
