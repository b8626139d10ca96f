"""Many worlds at once as a vectorized Gymnasium environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._episodes import Episodes, check_options, checked_action, idle_action, named
from ._hangtime import Game, World


class HangtimeVectorEnv(VectorEnv[NDArray[np.float32], NDArray[Any], NDArray[Any]]):
    """Worlds of one level in one process, stepped on all cores with the GIL released.

    It plays like a `SyncVectorEnv` of as many `HangtimeEnv`, number by number: the same seeds and actions give the same
    observations, rewards and ends, on any number of threads.

    Autoreset is `AutoresetMode.NEXT_STEP`: the step after the end of an episode begins the next one. It ignores the
    action, and its reward is 0.

    Args:
        game: A `Game`, or the path of its folder.
        level: The name of the level.
        num_envs: The number of worlds.
        player: Which player the agent is, from 1.
        copy: Whether `reset` and `step` return copies. Without, they return the same arrays again and again, which the
            next step overwrites.
        settings, rays, ray_length, variables, entities, frame_skip, max_ticks, actions, differences, threads: As those of
            `HangtimeEnv`.
        records: Whether to write down what is held, for `input_file`.
    """

    def __init__(
        self,
        game: Game | str | PathLike[str],
        level: str,
        num_envs: int,
        *,
        player: int = 1,
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
        copy: bool = True,
    ) -> None:
        self._episodes = Episodes(
            game,
            level,
            num_envs,
            [player],
            settings=settings,
            rays=rays,
            ray_length=ray_length,
            variables=variables,
            entities=entities,
            frame_skip=frame_skip,
            max_ticks=max_ticks,
            actions=actions,
            differences=differences,
            threads=threads,
            records=records,
        )
        self._episodes.warn_without_reward()
        self._begun = False
        self.copy = copy
        self.num_envs = num_envs
        self.single_observation_space = self._episodes.observation_spaces[0]
        self.single_action_space = self._episodes.action_spaces[0]
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.metadata = {
            "render_modes": [],
            "autoreset_mode": AutoresetMode.NEXT_STEP,
            "render_fps": self._episodes.steps_per_second,
        }
        # One number for each world, in the memory that steps are written to.
        self._rewards = self._episodes.rewards[:, 0]
        self._terminated = self._episodes.terminated[:, 0]

    @property
    def observation_names(self) -> list[str]:
        """The names of an observation's numbers with their units, such as `pos.x (px)`."""
        return named(self._episodes.numbers[0])

    @property
    def action_names(self) -> list[str]:
        """The names of an action's parts."""
        return [name for name, _ in self._episodes.parts[0]]

    @property
    def idle_action(self) -> NDArray[Any]:
        """The actions that hold nothing, one row for each world. They are not all zeros: `sideways` 0 is left."""
        return np.tile(idle_action(self._episodes.parts[0]), (self.num_envs, 1))

    def input_file(self, index: int) -> str:
        """What was held in the episode of one world, as an input file that `hangtime run` plays. Needs `records=True`.

        The step after the end of an episode begins the next one, and its file.
        """
        return self._episodes.batch.record(index)

    def world(self, index: int) -> World:
        """A copy of one world: what happens to it does not happen to the episode."""
        return self._episodes.batch.world(index)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins episodes at tick 0 of the level.

        With a single seed, world `i` has the seed `seed + i`. `options["reset_mask"]` chooses the worlds: an array of flags.
        """
        check_options(options, ["reset_mask"])
        count = self.num_envs
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
            seeds: list[int | None] = [int(seed) + i for i in range(count)]
        elif seed is None:
            seeds = [None] * count
            if not self._begun:
                seeds = [int(x) for x in self.np_random.integers(2**63, size=count)]
        else:
            seeds = [None if one is None else int(one) for one in seed]
            if not self._begun:
                random = self.np_random.integers(2**63, size=len(seeds))
                seeds = [int(other) if one is None else one for one, other in zip(seeds, random)]
            if len(seeds) != count:
                raise ValueError(f"seed must be one number or {count}, not {len(seeds)}")
        which = None
        if options is not None and "reset_mask" in options:
            mask = options["reset_mask"]
            if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
                raise TypeError("reset_mask must be an array of flags")
            if mask.shape != (count,) or not mask.any():
                raise ValueError(f"reset_mask must have the shape ({count},) and one flag that is set")
            which = mask.tolist()
        self._episodes.reset(seeds, which)
        self._begun = True
        return self._out(self._episodes.observations), {}

    def step(
        self, actions: Any
    ) -> tuple[
        NDArray[np.float32],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Makes `frame_skip` ticks in every world, or begins the next episode where the last one has ended.

        `infos["faults"]` has what scripts have complained about, as in the infos of other vectorized environments: a list
        of messages or `None` for each world, and `infos["_faults"]` says where there are any.
        """
        if not self._begun:
            raise gymnasium.error.ResetNeeded("no episode has begun: call reset()")
        shape = self.action_space.shape or ()
        messages = self._episodes.step(checked_action(self.single_action_space, actions, shape))
        infos: dict[str, Any] = {}
        if messages:
            faults = np.full(self.num_envs, None, dtype=object)
            for index, text in messages:
                faults[index] = [*(faults[index] or []), text]
            infos = {"faults": faults, "_faults": np.array([one is not None for one in faults])}
        return (
            self._out(self._episodes.observations),
            self._out(self._rewards),
            self._out(self._terminated),
            self._out(self._episodes.truncated),
            infos,
        )

    def reload(self) -> list[str]:
        """Reads the game's files again; all episodes continue under what they say now. Returns the changed files.

        With mistakes in the files, raises `GameError` and continues under the files as they were.
        """
        return self._episodes.reload()

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing has to be closed."""

    def _out(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array
