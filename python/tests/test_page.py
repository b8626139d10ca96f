"""The page that plays a game in a browser."""

import json

import pytest
from conftest import CROSSING, REPOSITORY

import hangtime


def test_the_page_has_the_game_if_the_package_was_built_with_it(tmp_path):
    game = hangtime.Game(CROSSING)
    built = REPOSITORY / "web" / "dist"
    if not built.is_dir():
        with pytest.raises(hangtime.GameError, match="run `web/build`"):
            game.export_page(tmp_path / "site", "crossing")
        return
    game.export_page(tmp_path / "site", "crossing")
    written = {path.name: path.read_bytes() for path in (tmp_path / "site").iterdir()}
    packed = json.loads(written.pop("game.json"))
    assert written == {path.name: path.read_bytes() for path in built.iterdir() if path.name != "game.json"}
    assert packed["level"] == "levels/crossing.toml"
    assert packed["files"]["levels/crossing.toml"] == (CROSSING / "levels" / "crossing.toml").read_text()
    with pytest.raises(hangtime.GameError, match="crosing"):
        game.export_page(tmp_path / "other", "crosing")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(hangtime.GameError, match="other files"):
        game.export_page(tmp_path / "full", "crossing")
