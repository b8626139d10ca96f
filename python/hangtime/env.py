"""One world as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, cast

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._episodes import (
    Episodes,
    Reward,
    check_options,
    check_render_mode,
    check_reward,
    checked_action,
    idle_action,
    named,
)
from ._hangtime import Game, World


class HangtimeEnv(gymnasium.Env[NDArray[np.float32], NDArray[Any]]):
    """A level as an environment: an agent plays one of its players.

    Rewards and ends come from the script of the player's entity: `fn reward(me)` returns a number, `fn done(me)` whether
    the episode has ended. `reload()` brings what you change there into the running episode.

    Args:
        game: A `Game`, or the path of its folder.
        level: The name of the level.
        player: Which player the agent is, from 1.
        settings: Settings that override the game's files, as in `{"platformer.jump_speed": 600}`.
        rays: The number of rays that are cast around the body, evenly spaced, the first toward +x; then
            counterclockwise. Each is the distance to terrain, px.
        ray_length: How far they reach, px.
        variables: Variables of the entity's script to observe: numbers and flags, without `vars.`, as in `["coins"]`.
        entities: The entities to observe, by their names: position and velocity relative to the body, and whether they
            are there. By default, all that the level begins with.
        frame_skip: The ticks of a step. What is held stays the same in them.
        max_ticks: The ticks after which an episode is truncated; `None` for never.
        actions: `"discrete"` for a `MultiDiscrete` space, `"continuous"` for a `Box` of numbers from -1 to 1, or a list of
            the parts of a discrete action to use, such as `["sideways", "jump"]`. `action_names` has the parts.
        differences: Whether the reward is how much the number of the script's `reward` has grown since the last step, as
            for `fn reward(me) { this.coins }`.
        reward: A function of the `World` that gives the reward, instead of the script.
        threads: The number of threads; by default, one for each processor, shared by all environments.
        records: Whether to write down what is held, for `input_file`.
        render_mode: `"rgb_array"` for pictures of 640 x 360 px from `render()`.

    Observations are arrays of float32. `observation_names` has the name of each number with its unit. Numbers are cut to
    ±1e8.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"]}

    def __init__(
        self,
        game: Game | str | PathLike[str],
        level: str,
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
        reward: Reward | None = None,
        threads: int | None = None,
        records: bool = False,
        render_mode: str | None = None,
    ) -> None:
        check_reward(reward, differences)
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._episodes = Episodes(
            game,
            level,
            1,
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
        if reward is None:
            self._episodes.warn_without_reward()
        self._reward = reward
        self._begun = self._over = False
        space = self._episodes.observation_spaces[0]
        self.observation_space = cast(gymnasium.Space[NDArray[np.float32]], space)
        self.action_space = self._episodes.action_spaces[0]
        self.metadata = {**self.metadata, "render_fps": self._episodes.steps_per_second}

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
        """The action that holds nothing. It is not all zeros: `sideways` 0 is left."""
        return idle_action(self._episodes.parts[0])

    def render(self) -> Any:
        """The level as it is now: an array of the shape (360, 640, 3) of uint8. Needs `render_mode="rgb_array"`."""
        if self.render_mode is None:
            gymnasium.logger.warn('render() needs an environment with render_mode="rgb_array"')
            return None
        return self._episodes.batch.picture(0)

    @property
    def world(self) -> World:
        """A copy of the world: what happens to it does not happen to the episode."""
        return self._episodes.batch.world(0)

    @property
    def input_file(self) -> str:
        """What was held in this episode, as an input file that `hangtime run` plays. Needs `records=True`."""
        return self._episodes.batch.record(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins an episode, at tick 0 of the level.

        The seed is that of the world, as `--seed` of `hangtime run`. Later episodes without one have seeds that follow
        from it. `on_birth` of scripts runs in the first tick, after this. `options` has to be empty.
        """
        check_options(options)
        super().reset(seed=seed)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**63))
        self._episodes.reset([seed])
        self._begun, self._over = True, False
        return self._episodes.observations[0].copy(), self._info([])

    def step(
        self, action: Any
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Makes `frame_skip` ticks with an action.

        `info["faults"]` has the messages if scripts have complained, or if the world has failed.
        """
        if not self._begun or self._over:
            state = "has ended" if self._begun else "has not begun"
            raise gymnasium.error.ResetNeeded(f"the episode {state}: call reset()")
        episodes = self._episodes
        given = checked_action(self.action_space, action, self.action_space.shape or ())
        messages = episodes.step(given[np.newaxis])
        terminated, truncated = bool(episodes.terminated[0, 0]), bool(episodes.truncated[0])
        self._over = terminated or truncated
        reward = float(episodes.rewards[0, 0])
        if self._reward is not None:
            reward = float(self._reward(self.world))
        info = self._info([text for _, text in messages])
        return episodes.observations[0].copy(), reward, terminated, truncated, info

    def reload(self) -> list[str]:
        """Reads the game's files again; the episode continues under what they say now. Returns the changed files.

        With mistakes in the files, raises `GameError` and continues under the files as they were.
        """
        return self._episodes.reload()

    def _info(self, faults: list[str]) -> dict[str, Any]:
        info: dict[str, Any] = {}
        if faults:
            info["faults"] = faults
        return info
