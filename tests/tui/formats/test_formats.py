"""What others wrote stays words in every format: no markup, no command, no formula, no control character."""

from __future__ import annotations

import csv
import io
import stat
from pathlib import Path

import pytest

from core.errors import UsageError
from core.tables import Report, Table, Words
from tests.html_page import Seen
from tui.cli.formats import delimited, latex, markdown, page, terminal
from tui.cli.formats.writing import wanted, write
from tui.cli.placing import write_file

EVIL = (
    '<script>alert(1)</script> [x](javascript:alert(2)) " onload="x'
    + "' | `code` *b* $1_a$ & \\input{/etc/passwd} % \x1b[31m\u202e"
)
TABLE = Table(
    EVIL, ("run", "n"), [[EVIL, "1"], [EVIL, "2"], ["=SUM(1)", "3"]], words=("run",), notes=(EVIL,), merged=1
)
REPORT = Report(EVIL, [Words(EVIL), TABLE], {"said": EVIL}, [{"run": EVIL, "n": 1}, {"run": "=1+1", "n": None}])


def test_html_holds_nothing_of_it_but_words() -> None:
    text = page.text(REPORT, notes=[EVIL])
    seen = Seen(text)
    tags = {tag for tag, _ in seen.elements}
    assert not tags & {"script", "iframe", "object", "embed", "link", "form", "base"}
    assert "<script>alert(1)</script>" in seen.words
    for tag, attributes in seen.elements:
        assert not any(name.startswith("on") or name == "style" for name in attributes), (tag, attributes)
        for name in ("href", "src"):
            assert (attributes.get(name) or "#").startswith(("#", "data:image/"))
    assert not {"\x1b", "\u202e"} & set(text)
    policy = next(a["content"] for tag, a in seen.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_html_is_one_file_for_keyboards_and_readers() -> None:
    seen = Seen(page.text(REPORT))
    assert dict(seen.elements)["html"] == {"lang": "en"}
    spans = [attributes for tag, attributes in seen.elements if tag == "th" and "rowspan" in attributes]
    assert [each["rowspan"] for each in spans] == ["2"]
    assert any(tag == "div" and attributes.get("tabindex") == "0" for tag, attributes in seen.elements)
    assert "prefers-color-scheme: dark" in seen.words
    assert "@media print" in seen.words


def test_markdown_shows_it_as_it_is() -> None:
    text = markdown.text(REPORT)
    assert "<script" not in text
    assert "](javascript" not in text.replace("\\](javascript", "")
    assert "\x1b" not in text
    row = next(line for line in text.split("\n") if line.startswith("| &lt;"))
    assert row.replace("\\|", "").count("|") == 3
    assert markdown.escaped("acc_plan_by_wrong_steps [1] 0.5") == "acc_plan_by_wrong_steps [1] 0.5"
    assert markdown.escaped("_x_ a*b [t](u)") == "\\_x\\_ a\\*b [t\\](u)"


def test_latex_prints_it_as_it_is() -> None:
    assert latex.escaped(r"50% of $a_b$ & \x{}~^#") == (
        r"50\% of \$a\_b\$ \& \textbackslash{}x\{\}\textasciitilde{}\textasciicircum{}\#"
    )
    assert latex.escaped("a--b ,,c") == "a-{}-b ,{},c"
    text = latex.text(REPORT)
    assert "\\input" not in text
    assert text.count("\\begin{tabular}") == text.count("\\end{tabular}") == text.count("\\toprule") == 1
    rows = [line for line in text.split("\n") if line.endswith(r" \\")]
    assert rows[-1].startswith("=SUM(1) & 3")
    assert latex.table(Table("", ("a",), [["[1] x"]], words=("a",))).count("{}[1] x") == 1  # no option of \\
    long = Table("many", ("n",), [[str(n)] for n in range(latex.LONGEST + 1)])
    assert r"\begin{longtable}{r}" in latex.table(long)


def test_csv_is_read_back_and_guarded_on_request_alone() -> None:
    plain = list(csv.reader(io.StringIO(delimited.text(REPORT))))
    assert plain[0] == ["run", "n"]
    assert plain[1][0].startswith("<script>")
    assert "\x1b" not in plain[1][0]
    assert plain[2] == ["=1+1", ""]
    assert list(csv.reader(io.StringIO(delimited.text(REPORT, formula_safe=True))))[2] == ["'=1+1", ""]


def test_a_terminal_gets_no_control_character() -> None:
    text = terminal.text(REPORT)
    assert "\x1b" not in text
    assert "=SUM(1)" in text


def test_the_format_is_named_or_read_from_the_files_ending(tmp_path: Path) -> None:
    assert wanted("").format == "table"
    assert wanted("", tmp_path / "r.html").format == "html"
    assert wanted("", tmp_path / "r.htm").format == "html"
    assert wanted("md", tmp_path / "r.html").format == "md"
    assert wanted("md", as_json=True).format == "json"
    for bad, place in (("pdf", None), ("md", tmp_path), ("md", tmp_path / "no" / "r.md")):
        with pytest.raises(UsageError):
            wanted(bad, place)
    with pytest.raises(UsageError, match="only csv"):
        wanted("md", formula_safe=True)


@pytest.mark.parametrize("ending", ["txt", "md", "csv", "json", "tex", "html"])
def test_a_file_is_whole_its_owners_and_never_replaced_unasked(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"r.{ending}"
    write(REPORT, wanted("", file))
    first = file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(UsageError, match="a file of that name"):
        wanted("", file)
    write(REPORT, wanted("", file, force=True))
    assert file.read_bytes() == first
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


def test_a_store_is_never_replaced(tmp_path: Path) -> None:
    file = tmp_path / "r.html"
    file.write_bytes(b"SQLite format 3\0...")
    with pytest.raises(UsageError, match="a store"):
        write_file(file, b"x", force=True)
