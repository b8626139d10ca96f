"""What all environments share: a batch of worlds, its spaces, and the arrays that steps are written into."""

from __future__ import annotations

import inspect
import math
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._hangtime import Batch, Game, World
from ._options import EpisodeOptions

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
        raise ValueError("differences apply to the script's rule only: leave out reward or differences")


def checked_reward(reward: Any) -> float:
    """What a function of the world has returned, as a number."""
    if isinstance(reward, bool) or not isinstance(reward, (int, float, np.integer, np.floating)):
        raise TypeError(f"reward must return a number, not {reward!r}")
    if not math.isfinite(reward):
        raise ValueError(f"reward must return a finite number, not {reward!r}")
    return float(reward)


def check_options(options: Mapping[str, Any] | None, known: Sequence[str] = ()) -> None:
    """Refuses options of `reset` that do not exist."""
    for name in options or ():
        if name not in known:
            there = f"there is {known[0]}" if known else "there are none"
            raise ValueError(f"reset has no option {name!r}; {there}")


def warn(message: str) -> None:
    """Warns at the line that uses the package, however many calls within the package lie between."""
    frame, level = inspect.currentframe(), 1
    while frame is not None and str(frame.f_globals.get("__name__")).startswith(f"{__package__}."):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, UserWarning, stacklevel=level)


class Episodes:
    """Worlds of a level with their arrays: one row for each world, and columns for one player after another."""

    def __init__(self, options: EpisodeOptions, count: int, players: Sequence[int]) -> None:
        actions, settings, entities = options.actions, options.settings, options.entities
        max_ticks, threads = options.max_ticks, options.threads
        if isinstance(actions, str):
            if actions not in ("discrete", "continuous"):
                raise ValueError(
                    f'actions must be "discrete", "continuous" or a list of parts, not "{actions}"'
                )
            continuous, parts = actions == "continuous", None
        else:
            continuous, parts = False, _names("actions", actions)
        if not isinstance(options.level, str):
            raise TypeError(f"level must be the name of a level, not {options.level!r}")
        for player in players:
            if _whole("player", player) not in range(1, 9):
                raise ValueError(f"player must be 1 to 8, not {player}")
        game = options.game if isinstance(options.game, Game) else Game(options.game)
        self.frame_skip = options.frame_skip
        self._hashes = bool(options.hashes)
        self.batch = Batch(
            game,
            dict(settings) if isinstance(settings, Mapping) else settings,
            {
                "level": options.level,
                "count": _whole("num_envs", count),
                "players": list(players),
                "rays": _whole("rays", options.rays),
                "ray_length": _number("ray_length", options.ray_length),
                "variables": _names("variables", options.variables),
                "entities": None if entities is None else _names("entities", entities),
                "frame_skip": _whole("frame_skip", options.frame_skip),
                "max_ticks": None if max_ticks is None else _whole("max_ticks", max_ticks),
                "continuous": continuous,
                "parts": parts,
                "threads": None if threads is None else _whole("threads", threads),
                "records": bool(options.records),
                "differences": bool(options.differences),
                "normalize": bool(options.normalize),
            },
        )
        for warning in self.batch.warnings:
            warn(warning)
        #: Makes a step in the only world with its only player.
        self.step_one = self.batch.step_one
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
        self.ticks: NDArray[np.int64] = np.zeros(count, np.int64)
        #: The columns of each player, which share the memory of all.
        self.views = list(
            np.split(self.observations, np.cumsum([len(n) for n in self.numbers])[:-1], axis=1)
        )

    def reset(self, seeds: Sequence[int | None], which: Sequence[bool] | None = None) -> None:
        """Begins episodes."""
        for seed in seeds:
            if seed is not None and not 0 <= seed < 2**64:
                raise ValueError(f"a seed must be 0 to {2**64 - 1}, not {seed}")
        self.batch.reset(list(seeds), which, self.observations, self.ticks)

    def step(self, actions: NDArray[Any]) -> list[tuple[int, str]]:
        """Makes a step in every world, or begins the next episode where the last one is over."""
        messages = self.batch.step(
            actions, self.observations, self.rewards, self.terminated, self.truncated, self.ticks
        )
        for _, message in messages:
            self._warn_once(message)
        return messages

    def info(self, messages: list[tuple[int, str]]) -> dict[str, Any]:
        """The info of a single world, after `reset` or `step`."""
        return self._info_of(int(self.ticks[0]), [text for _, text in messages])

    def info_at(self, tick: int, messages: list[str]) -> dict[str, Any]:
        """The info of a single world after `step_one`. Warns about its messages."""
        if messages or self._hashes:
            for message in messages:
                self._warn_once(message)
            return self._info_of(tick, messages)
        return {"tick": tick}

    def _info_of(self, tick: int, messages: list[str]) -> dict[str, Any]:
        info: dict[str, Any] = {"tick": tick}
        if self._hashes:
            info["hash"] = self.batch.hashes()[0]
        if messages:
            info["faults"] = messages
        return info

    def infos(self, messages: list[tuple[int, str]], which: NDArray[np.bool_]) -> dict[str, Any]:
        """The infos of many worlds, as vectorized environments have them: an array for each key, and with a `_` before
        the key, which worlds have it. `which` worlds have been stepped or reset."""
        values: dict[str, NDArray[Any]] = {"tick": np.where(which, self.ticks, 0)}
        if self._hashes:
            hashes = np.full(which.size, None, dtype=object)
            hashes[which] = np.array(self.batch.hashes(), dtype=object)[which]
            values["hash"] = hashes
        infos: dict[str, Any] = {}
        for key, value in values.items():
            infos |= {key: value, f"_{key}": which.copy()}
        if messages:
            faults = np.full(which.size, None, dtype=object)
            for index, text in messages:
                faults[index] = [*(faults[index] or []), text]
            infos |= {"faults": faults, "_faults": np.array([one is not None for one in faults])}
        return infos

    def _warn_once(self, message: str) -> None:
        """Warns about a script that fails, once for each place: a rule that fails gives no reward."""
        key = _WHEN.sub("", message)
        if key not in self._warned and len(self._warned) < _MOST_WARNINGS:
            self._warned.add(key)
            warn(message)

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
        warn(
            f"every reward is 0, because the script of `{entity}` has no rule `reward`: {where}, as in "
            "`fn reward(me) { me.vel.x / 100 }`"
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


def _number(name: str, number: Any) -> float:
    if isinstance(number, bool) or not isinstance(number, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} must be a number, not {number!r}")
    try:
        return float(number)
    except OverflowError:
        raise ValueError(f"{name} must not be that large") from None


def _names(what: str, names: Any) -> list[str]:
    """A list of names. To Python, a text is one, too: a list of its letters."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(f"{what} must be a list of names, not {names!r}")
    found = list(names)
    for name in found:
        if not isinstance(name, str):
            raise TypeError(f"{what} must be a list of names, and {name!r} is not one")
    return found


def _observation_space(
    numbers: Sequence[tuple[str, str, float, float]],
) -> gymnasium.Space[NDArray[np.float32]]:
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
