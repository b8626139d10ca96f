"""What the tests share: the sample game, small games in temporary folders, and the program."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import hangtime

PYTHON = Path(__file__).resolve().parent.parent
CROSSING = PYTHON / "examples" / "crossing"
REPOSITORY = PYTHON.parent

FLOOR = """
bounds = [-2000, -1000, 2000, 1000]
[[solid]]
points = [[-1500, -100], [1500, -100], [1500, 0], [-1500, 0]]
[[entity]]
kind = "hero"
name = "hero"
at = [0, 19]
player = 1
"""


class SmallGame:
    """A game in a temporary folder: a hero on a floor, with a script."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("levels/floor.toml", FLOOR)
        self.write("config/entities/hero.toml", 'script = "hero.rhai"\nvars = { n = 0 }\n')
        self.script("fn on_tick(me) { this.n += 1; }")

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def script(self, text: str) -> None:
        self.write("scripts/hero.rhai", text)

    def game(self) -> hangtime.Game:
        return hangtime.Game(self.folder)


@pytest.fixture
def small(tmp_path: Path) -> SmallGame:
    return SmallGame(tmp_path)


@pytest.fixture(scope="session")
def crossing() -> hangtime.Game:
    return hangtime.Game(CROSSING)


@pytest.fixture(scope="session")
def program() -> str:
    """The program `hangtime`: the one that the variable HANGTIME names, or the one in the path."""
    found = os.environ.get("HANGTIME") or shutil.which("hangtime")
    if found is None:
        pytest.skip("there is no program hangtime; name it with the variable HANGTIME")
    return found


def run_program(program: str, *arguments: str) -> str:
    """Runs the program and returns what it says."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
