"""The program `hangtime`, which comes with the package."""

import subprocess
import sys
from pathlib import Path

import hangtime


def program(*arguments, folder):
    command = [Path(sys.executable).with_name("hangtime"), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)


def test_the_program_has_the_version_of_the_package(tmp_path):
    assert program("--version", folder=tmp_path).stdout == f"hangtime {hangtime.__version__}\n"


def test_the_exit_codes_of_the_program_arrive(tmp_path):
    assert program("new", "game", folder=tmp_path).returncode == 0
    assert program("check", folder=tmp_path / "game").returncode == 0
    (tmp_path / "game" / "scripts" / "hero.rhai").write_text("fn (")
    assert program("check", folder=tmp_path / "game").returncode == 1
    assert program("--root", "nowhere", "check", folder=tmp_path).returncode == 2
