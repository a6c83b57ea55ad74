"""phoropter.toml: what is wrong in it is told in one message, with file and place, and no key is taken from it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core.config import Config, load_config
from core.errors import ConfigError
from core.respondents.settings import DiffusersSettings, ImagesSettings, LocalSettings, ServerSettings

GOOD = """
[store]
path = "data/p.db"
[app]
theme = "nord"
[app.keys]
quit = "q"
[respondents.gpt-4o]
kind = "openai"
model = "gpt-4o"
base_url = ["http://a/v1", "http://b/v1"]
api_key_env = "OPENAI_API_KEY"
temperature = 0
max_tokens = 2048
concurrency = 16
requests_per_minute = 500
stop = "END"
[respondents.gpt-4o.extra_body]
top_k = 20
chat_template_kwargs = { enable_thinking = false }
[respondents.smolvlm]
kind = "transformers"
model = "hub/id"
dtype = "auto"
size_b = 2.2
batch_size = 8
trust_remote_code = false
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "phoropter.toml"
    path.write_text(text, encoding="utf-8")
    return path


def problem(folder: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config(write(folder, text))
    assert str(folder / "phoropter.toml") in str(caught.value)
    return str(caught.value)


def test_everything_of_the_manual_is_read(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, GOOD))
    gpt = config.respondents["gpt-4o"]
    assert isinstance(gpt, ServerSettings)
    assert (gpt.base_url, gpt.stop) == (("http://a/v1", "http://b/v1"), ("END",))
    assert (gpt.temperature, gpt.requests_per_minute) == (0.0, 500.0)
    assert gpt.extra_body == {"top_k": 20, "chat_template_kwargs": {"enable_thinking": False}}
    smol = config.respondents["smolvlm"]
    assert isinstance(smol, LocalSettings)
    assert (smol.size_b, smol.batch_size) == (2.2, 8)
    assert (config.store, config.theme, config.keys) == (tmp_path / "data/p.db", "nord", {"quit": "q"})


def test_the_working_folder_wins_over_the_users_and_config_over_both(tmp_path: Path) -> None:
    here, user, other = tmp_path / "here", tmp_path / "user", tmp_path / "other"
    for folder in (here, user, other):
        folder.mkdir()
        write(folder, f'[app]\ntheme = "{folder.name}"\n')
    assert load_config(here=here, user=user).theme == "here"
    assert load_config(other / "phoropter.toml", here=here, user=user).theme == "other"
    (here / "phoropter.toml").unlink()
    assert load_config(here=here, user=user).theme == "user"
    (user / "phoropter.toml").unlink()
    assert load_config(here=here, user=user) == Config()


def test_an_unknown_field_is_told_with_its_place_and_the_nearest(tmp_path: Path) -> None:
    told = problem(tmp_path, '[respondents.gpt]\nkind = "openai"\nmodel = "m"\ntemprature = 1.0\n')
    assert "respondents.gpt.temprature (line 4): no such field; the nearest is temperature" in told


def test_all_problems_are_told_together_a_line_each(tmp_path: Path) -> None:
    told = problem(
        tmp_path,
        """
[respondents.a]
kind = "openai"
model = 5
concurrency = "many"
max_tokens = 0
[respondents.b]
kind = "opanai"
[respondents.c]
kind = "transformers"
trust_remote_code = "yes"
[respondents.d]
model = "m"
[shop]
x = 1
[app]
keys = ["q"]
""",
    )
    lines = told.splitlines()
    assert len(lines) == 10
    for part in (
        "respondents.a.model (line 4): must be a text, not a number",
        "respondents.a.concurrency (line 5): must be a whole number, not a text",
        "respondents.a.max_tokens (line 6): must be greater than or equal to 1",
        "respondents.b.kind (line 8): no such kind; the nearest is openai: openai or transformers",
        "respondents.c.model (line 9): is missing",
        "respondents.c.trust_remote_code (line 11): must be true or false, not a text",
        "respondents.d.kind (line 12): is missing: openai or transformers",
        "shop (line 14): no such table",
        "app.keys (line 17): must be a table, not a list",
    ):
        assert any(part in line for line in lines), (part, told)


def test_makers_of_pictures_have_tables_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "phoropter.toml"
    path.write_text(
        """
[respondents.maker]
kind = "openai-images"
model = "m"
base_url = "http://127.0.0.1:8000/v1"
mode = "edit"
size = "1024x1024"
price_picture = 0.04
[respondents.maker.extra_body]
moderation = "low"
[respondents.here]
kind = "diffusers"
model = "./pipeline"
steps = 30
guidance = 8.0
""",
        encoding="utf-8",
    )
    made, here = load_config(path).respondents.values()
    assert isinstance(made, ImagesSettings)
    assert (made.base_url, made.mode, made.price_picture) == (("http://127.0.0.1:8000/v1",), "edit", 0.04)
    assert (dict(made.extra_body), made.timeout_s) == ({"moderation": "low"}, 300.0)
    assert isinstance(here, DiffusersSettings)
    assert (here.steps, here.guidance, here.dtype) == (30, 8.0, "auto")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('base_url = "http://me:secret@host/v1"', "no user, no key"),
        ('mode = "draw"', "must be 'generate' or 'edit'"),
        ("temperature = 0.0", "no such field"),
        ("price_picture = -1.0", "greater than or equal to 0"),
    ],
)
def test_what_a_maker_cannot_have_is_told(tmp_path: Path, line: str, says: str) -> None:
    told = problem(tmp_path, f'[respondents.maker]\nkind = "openai-images"\nmodel = "m"\n{line}\n')
    assert says in told
    assert "secret" not in told


@pytest.mark.parametrize("name", ["api_key", "api-key", "API_KEY", "apikey"])
def test_a_key_in_the_file_is_refused_and_not_repeated(tmp_path: Path, name: str) -> None:
    told = problem(tmp_path, f'[respondents.a]\nkind = "openai"\nmodel = "m"\n{name} = "sk-secret-1"\n')
    assert "api_key_env" in told
    assert "sk-secret" not in told


def test_a_key_in_the_place_of_its_variable_or_deep_inside_is_refused_and_not_repeated(tmp_path: Path) -> None:
    told = problem(tmp_path, '[respondents.a]\nkind = "openai"\nmodel = "m"\napi_key_env = "sk-secret-1"\n')
    assert "name of an environment variable" in told
    assert "sk-secret" not in told
    deep = '[respondents.a]\nkind = "openai"\nmodel = "m"\n[respondents.a.extra_body]\napi_key = "sk-secret-1"\n'
    told = problem(tmp_path, deep)
    assert "respondents.a.extra_body.api_key (line 5)" in told
    assert "sk-secret" not in told


def test_a_missing_unreadable_or_foreign_file_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.toml: there is no such file"):
        load_config(tmp_path / "gone.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path)
    path = tmp_path / "phoropter.toml"
    path.write_bytes("[app]\ntheme = 'café'\n".encode("latin-1"))
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(path)
    path.write_bytes("[app]\n".encode("utf-16"))
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(path)


def test_bad_toml_is_told_with_its_line_and_a_byte_order_mark_is_none(tmp_path: Path) -> None:
    assert "line 2" in problem(tmp_path, "[app]\ntheme = \n")
    path = tmp_path / "phoropter.toml"
    path.write_bytes(b"\xef\xbb\xbf[app]\ntheme = 'x'\n")
    assert load_config(path).theme == "x"


@pytest.mark.parametrize(
    "text", ["respondents = 3", "[respondents]\na = 1", "store = 'x'", "app = 1", "[[respondents]]"]
)
def test_tables_that_are_none_are_told(tmp_path: Path, text: str) -> None:
    assert "table" in problem(tmp_path, text)


def test_without_a_file_nothing_heavy_is_imported(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from core.config import load_config;"
        f"load_config(here=Path({str(tmp_path)!r}), user=Path({str(tmp_path)!r}));"
        "print([m for m in ('pydantic', 'openai', 'httpx2', 'PIL') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "name",
    [
        "api_key",
        "apikey",
        "x-api-key",
        "OPENAI_API_KEY",
        "access_token",
        "hf_token",
        "token",
        "client_secret",
        "secret",
        "password",
        "db_password",
        "Authorization",
        "Proxy-Authorization",
        "aws_secret_access_key",
        "cookie",
        "credentials",
    ],
)
@pytest.mark.parametrize("place", ["{}", "extra_body.{}", "extra_body.headers.{}", "extra_body.list"])
def test_a_key_written_anywhere_is_refused_and_not_repeated(tmp_path: Path, name: str, place: str) -> None:
    entry = f'[{{"{name}" = "geheim"}}]' if place.endswith("list") else '"geheim"'
    path = place.format(f'"{name}"')
    told = problem(tmp_path, f'[respondents.r]\nkind = "openai"\nmodel = "m"\n{path} = {entry}\n')
    assert "api_key_env" in told
    assert name in told
    assert "geheim" not in told


def test_what_only_sounds_like_a_key_may_be_sent(tmp_path: Path) -> None:
    config = load_config(
        write(
            tmp_path,
            '[respondents.token]\nkind = "openai"\nmodel = "m"\nmax_tokens = 9\napi_key_env = "A"\n'
            "[respondents.token.extra_body]\nstop_token_ids = [1]\nstop_token = 5\nkeyboard = 1\n"
            "prompt_logprobs = 1\nskip_special_tokens = true\n",
        )
    )
    assert list(config.respondents) == ["token"]


@pytest.mark.parametrize("url", ["http://u:geheim@h/v1", "https://h/v1?key=geheim", "http://h/#geheim"])
def test_an_address_with_a_key_in_it_is_refused_and_not_repeated(tmp_path: Path, url: str) -> None:
    for written in (f'"{url}"', f'["http://a/v1", "{url}"]'):
        told = problem(tmp_path, f'[respondents.r]\nkind = "openai"\nmodel = "m"\nbase_url = {written}\n')
        assert "respondents.r.base_url (line 4)" in told
        assert "api_key_env" in told
        assert "geheim" not in told


def test_prices_headers_and_a_proxy_are_read(tmp_path: Path) -> None:
    text = """
[prices."a/model"]
input = 2
output = 10.5
[respondents.far]
kind = "openai"
model = "a/model"
price_out = 11
tokens_per_minute = 30000
proxy = "env:MY_PROXY"
headers = { "X-Org" = "lab", "Authorization" = "env:MY_AUTH", "X-Api-Key" = "env:MY_KEY" }
"""
    config = load_config(write(tmp_path, text))
    assert config.prices["a/model"].cost(1_000_000, 0) == 2.0
    far = config.respondents["far"]
    assert isinstance(far, ServerSettings)
    assert far.headers["Authorization"] == "env:MY_AUTH"
    priced = far.with_prices(config.prices["a/model"]).prices
    assert (priced.input, priced.output, priced.cached) == (2.0, 11.0, None)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("prices = 5", r'must hold tables such as \[prices."MODEL"\]'),
        ('[prices."m"]\ninput = -1\noutput = 1', "prices.m.input (line 2): must be greater than or equal to 0"),
        ('[prices."m"]\nimput = 1', "no such field; the nearest is input"),
        ('[prices]\n"m" = 3', "prices.m (line 2): must be a table"),
    ],
)
def test_prices_that_are_none_are_named(tmp_path: Path, text: str, what: str) -> None:
    assert what.replace("\\", "") in problem(tmp_path, text)


def test_a_key_written_as_a_header_is_refused_and_never_shown(tmp_path: Path) -> None:
    text = '[respondents.far]\nkind = "openai"\nmodel = "m"\nheaders = { "X-Api-Key" = "sk-123456" }\n'
    told = problem(tmp_path, text)
    assert "respondents.far.headers.X-Api-Key (line 4): keys are never written here" in told
    assert '"env:NAME"' in told
    assert "sk-123456" not in told
