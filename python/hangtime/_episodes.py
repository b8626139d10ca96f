"""What all environments share: a batch of worlds, its spaces, and the arrays that steps are written into."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._hangtime import Batch, Game, World

Reward = Callable[[World], float]

#: The kinds of different messages about scripts that warn, for each environment.
_MOST_WARNINGS = 100

#: Where messages say whose script has failed and when.
_WHEN = re.compile(r" of `[^`]*` at tick \d+, revision \d+")


def check_reward(reward: Reward | None, differences: bool) -> None:
    """Refuses what cannot give rewards."""
    if reward is not None and not callable(reward):
        raise TypeError(f"reward must be a function of the world, not {reward!r}")
    if reward is not None and differences:
        raise ValueError("differences are those of the script's rule: leave out reward or differences")


def check_render_mode(mode: str | None) -> None:
    """Refuses ways of rendering that do not exist."""
    if mode not in (None, "rgb_array"):
        raise ValueError(f'render_mode must be None or "rgb_array", not {mode!r}')


def check_options(options: Mapping[str, Any] | None, known: Sequence[str] = ()) -> None:
    """Refuses options of `reset` that do not exist."""
    for name in options or ():
        if name not in known:
            there = f"there is {known[0]}" if known else "there are none"
            raise ValueError(f"reset has no option {name!r}; {there}")


def open_game(game: Game | str | PathLike[str]) -> Game:
    """A game, or the one in this folder."""
    return game if isinstance(game, Game) else Game(game)


class Episodes:
    """Worlds of a level with their arrays: one row for each world, and columns for one player after another."""

    def __init__(
        self,
        game: Game | str | PathLike[str],
        level: str,
        count: int,
        players: Sequence[int],
        *,
        settings: Mapping[str, Any] | None = None,
        rays: int = 16,
        ray_length: float = 400.0,
        variables: Sequence[str] = (),
        entities: Sequence[str] | None = None,
        frame_skip: int = 4,
        max_ticks: int | None = 3600,
        actions: str | Sequence[str] = "discrete",
        differences: bool = False,
        threads: int | None = None,
        records: bool = False,
    ) -> None:
        if isinstance(actions, str):
            if actions not in ("discrete", "continuous"):
                raise ValueError(
                    f'actions must be "discrete", "continuous" or a list of parts, not "{actions}"'
                )
            continuous, parts = actions == "continuous", None
        else:
            continuous, parts = False, _names("actions", actions)
        for player in players:
            if _whole("player", player) not in range(1, 9):
                raise ValueError(f"player must be 1 to 8, not {player}")
        self.game = open_game(game)
        self.level = level
        self.frame_skip = frame_skip
        self.batch = Batch(
            self.game,
            dict(settings) if isinstance(settings, Mapping) else settings,
            {
                "level": level,
                "count": _whole("num_envs", count),
                "players": list(players),
                "rays": _whole("rays", rays),
                "ray_length": float(ray_length),
                "variables": _names("variables", variables),
                "entities": None if entities is None else _names("entities", entities),
                "frame_skip": _whole("frame_skip", frame_skip),
                "max_ticks": None if max_ticks is None else _whole("max_ticks", max_ticks),
                "continuous": continuous,
                "parts": parts,
                "threads": None if threads is None else _whole("threads", threads),
                "records": bool(records),
                "differences": bool(differences),
            },
        )
        for warning in self.batch.warnings:
            warnings.warn(warning, UserWarning, stacklevel=3)
        self._warned: set[str] = set()
        self.numbers = self.batch.observation_names()
        self.parts = self.batch.action_names()
        self.observation_spaces = [_observation_space(numbers) for numbers in self.numbers]
        self.action_spaces = [_action_space(parts, continuous) for parts in self.parts]
        width = sum(len(numbers) for numbers in self.numbers)
        self.observations: NDArray[np.float32] = np.zeros((count, width), np.float32)
        self.rewards: NDArray[np.float64] = np.zeros((count, len(players)), np.float64)
        self.terminated: NDArray[np.bool_] = np.zeros((count, len(players)), np.bool_)
        self.truncated: NDArray[np.bool_] = np.zeros(count, np.bool_)
        #: The columns of each player, which share the memory of all.
        self.views = list(
            np.split(self.observations, np.cumsum([len(n) for n in self.numbers])[:-1], axis=1)
        )

    def reset(self, seeds: Sequence[int | None], which: Sequence[bool] | None = None) -> None:
        """Begins episodes."""
        for seed in seeds:
            if seed is not None and not 0 <= seed < 2**64:
                raise ValueError(f"a seed must be 0 to {2**64 - 1}, not {seed}")
        self.batch.reset(list(seeds), which, self.observations)

    def step(self, actions: NDArray[Any]) -> list[tuple[int, str]]:
        """Makes a step in every world, or begins the next episode where the last one is over."""
        messages = self.batch.step(
            actions, self.observations, self.rewards, self.terminated, self.truncated
        )
        for _, message in messages:
            self._warn_once(message)
        return messages

    def _warn_once(self, message: str) -> None:
        """Warns about a script that fails, once for each place: a rule that fails gives no reward."""
        key = _WHEN.sub("", message)
        if key not in self._warned and len(self._warned) < _MOST_WARNINGS:
            self._warned.add(key)
            warnings.warn(message, UserWarning, stacklevel=4)

    def reload(self) -> list[str]:
        """Reads the files again. Mistakes that come back warn again."""
        changed = self.batch.reload()
        if changed:
            self._warned.clear()
        return changed

    @property
    def steps_per_second(self) -> float:
        """The steps that make a second of play."""
        return self.batch.hz / self.frame_skip

    def warn_without_reward(self, player: int = 0) -> None:
        """Warns if no rule gives this player a reward."""
        script, rewards = self.batch.judges()[player]
        if rewards:
            return
        entity = self.batch.entities[player]
        where = f"add it to {script}" if script else "give its kind a script with it"
        warnings.warn(
            f"every reward is 0, because the script of `{entity}` has no rule `reward`: {where}, as in "
            "`fn reward(me) { me.vel.x / 100 }`",
            UserWarning,
            stacklevel=3,
        )


def checked_action(space: gymnasium.Space[Any], action: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """An action as the array that a batch takes. Whether its numbers are in range is checked there."""
    given = np.asarray(action)
    if given.shape != shape:
        raise ValueError(f"an action must have the shape {shape}, not {given.shape}")
    whole = space.dtype == np.int64
    if given.dtype.kind not in ("iu" if whole else "fiu"):
        expected = "whole numbers" if whole else "numbers"
        raise ValueError(f"an action must have {expected}, not {given.dtype}")
    return np.ascontiguousarray(given, np.int64 if whole else np.float32)


def idle_action(parts: Sequence[tuple[str, int]]) -> NDArray[Any]:
    """The action that holds nothing."""
    if all(count == 0 for _, count in parts):
        return np.zeros(len(parts), np.float32)
    return np.array([1 if count == 3 else 0 for _, count in parts], np.int64)


def _whole(name: str, number: Any) -> int:
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
        raise TypeError(f"{name} must be a whole number, not {number!r}")
    if abs(int(number)) > 2**53:
        raise ValueError(f"{name} must be at most {2**53}, not {number}")
    return int(number)


def _names(what: str, names: Any) -> list[str]:
    """A list of names. A text is one, too, as far as Python is concerned: of its letters."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(f"{what} must be a list of names, not {names!r}")
    found = list(names)
    for name in found:
        if not isinstance(name, str):
            raise TypeError(f"{what} must be a list of names, and {name!r} is not one")
    return found


def _observation_space(numbers: Sequence[tuple[str, str, float, float]]) -> gymnasium.spaces.Box:
    low = np.array([low for _, _, low, _ in numbers], np.float32)
    high = np.array([high for _, _, _, high in numbers], np.float32)
    return gymnasium.spaces.Box(low, high, dtype=np.float32)


def _action_space(
    parts: Sequence[tuple[str, int]], continuous: bool
) -> gymnasium.spaces.Box | gymnasium.spaces.MultiDiscrete:
    if continuous:
        return gymnasium.spaces.Box(-1.0, 1.0, (len(parts),), np.float32)
    return gymnasium.spaces.MultiDiscrete([count for _, count in parts])


def named(numbers: Sequence[tuple[str, str, float, float]]) -> list[str]:
    """The names of an observation's numbers with their units, such as `pos.x (px)`."""
    return [f"{name} ({unit})" if unit else name for name, unit, _, _ in numbers]
