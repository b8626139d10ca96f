"""What environments of one world and environments of one agent in each world have in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium

from ._episodes import Episodes, named
from ._hangtime import World
from ._options import EpisodeOptions
from ._window import Window


class LevelEnvironment(EpisodeOptions):
    """A level as an environment."""

    def _open(self, count: int, players: Sequence[int]) -> Episodes:
        """Opens the worlds that the options ask for."""
        self._episodes = Episodes(self, count, players)
        return self._episodes

    def reload(self) -> list[str]:
        """Reads the game's files again; running episodes continue under the new files. Returns the changed files.

        If the files have mistakes, raises `GameError` and continues under the old ones.
        """
        return self._episodes.reload()


@dataclass(kw_only=True, eq=False, repr=False)
class OneAgent(LevelEnvironment):
    """An environment in which an agent plays one player of each world."""

    player: int = 1
    """Which player the agent is, from 1."""

    @property
    def observation_names(self) -> list[str]:
        """The names of an observation's numbers with their units, such as `pos.x (px)`."""
        return named(self._episodes.numbers[0])

    @property
    def action_names(self) -> list[str]:
        """The names of an action's parts."""
        return [name for name, _ in self._episodes.parts[0]]


@dataclass(kw_only=True, eq=False, repr=False)
class OneWorld(LevelEnvironment):
    """An environment of a single world, which it can show."""

    render_mode: str | None = None
    """`"rgb_array"` for pictures of 640 x 360 px from `render()`, `"human"` for a window that shows every step, at the
    speed of the game. Needs the package `pygame`."""

    @property
    def world(self) -> World:
        """A copy of the world: what happens to it does not happen to the episode."""
        return self._episodes.batch.world(0)

    @property
    def input_file(self) -> str:
        """What was held in this episode, as an input file that `hangtime run` plays. Needs `records=True`."""
        return self._episodes.batch.record(0)

    def render(self) -> Any:
        """The level as it is now: an array of the shape (360, 640, 3) of uint8. Needs `render_mode="rgb_array"`; with
        `"human"`, the window shows it already and this returns `None`."""
        if self.render_mode is None:
            gymnasium.logger.warn('render() needs an environment with render_mode="rgb_array" or "human"')
        return self._episodes.batch.picture(0) if self.render_mode == "rgb_array" else None

    def _open(self, count: int, players: Sequence[int]) -> Episodes:
        if self.render_mode not in (None, "rgb_array", "human"):
            raise ValueError(f'render_mode must be None, "rgb_array" or "human", not {self.render_mode!r}')
        self._window: Window | None = None
        return super()._open(count, players)

    def close(self) -> None:
        """Closes the window of `render_mode="human"`."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def _show(self) -> None:
        """Shows the level in the window, if it has one."""
        if self.render_mode == "human":
            if self._window is None:
                self._window = Window(f"hangtime: {self.level}", self._episodes.steps_per_second)
            self._window.show(self._episodes.batch.picture(0))
