"""Several players in one world, for PettingZoo. Needs the package `pettingzoo`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

from ._episodes import checked_action, idle_action, named
from ._options import documented
from ._shared import OneWorld


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class HangtimeParallelEnv(OneWorld, ParallelEnv[str, NDArray[np.float32], Any]):  # type: ignore[misc]
    """A level whose players are agents that act at the same time.

    An agent is named after the entity that it plays. Its rewards and its end come from that entity's script, and it sees
    the others among the entities. An agent whose episode has ended leaves; its entity stays and gets no input.
    """

    players: Sequence[int] = (1, 2)
    """The players that are agents, from 1."""

    def __post_init__(self) -> None:
        if isinstance(self.players, (int, str)) or not isinstance(self.players, Iterable):
            raise TypeError(f"players must be a list of numbers, as in [1, 2], not {self.players!r}")
        players = list(self.players)
        episodes = self._open(1, players)
        for place in range(len(players)):
            episodes.warn_without_reward(place)
        self.metadata = {
            "name": f"hangtime_{self.level}",
            "render_modes": ["rgb_array", "human"],
            "render_fps": episodes.steps_per_second,
            "is_parallelizable": True,
        }
        self.possible_agents = episodes.batch.entities
        self.agents: list[str] = []
        self.observation_spaces = dict(zip(self.possible_agents, episodes.observation_spaces))
        self.action_spaces = dict(zip(self.possible_agents, episodes.action_spaces))
        self._begun = False

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """What an agent can do."""
        return self.action_spaces[agent]

    def observation_names(self, agent: str) -> list[str]:
        """The names of the numbers that an agent sees, with their units."""
        return named(self._episodes.numbers[self.possible_agents.index(agent)])

    def action_names(self, agent: str) -> list[str]:
        """The names of the parts of an agent's action."""
        return [name for name, _ in self._episodes.parts[self.possible_agents.index(agent)]]

    def idle_action(self, agent: str) -> NDArray[Any]:
        """The action of an agent that holds nothing. It is not all zeros: `sideways` 0 is left."""
        return idle_action(self._episodes.parts[self.possible_agents.index(agent)])

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[np.float32]], dict[str, dict[str, Any]]]:
        """Begins an episode with all agents, at tick 0 of the level. `options` have no effect."""
        if seed is None and not self._begun:
            seed = int(np.random.default_rng().integers(2**63))
        self._episodes.reset([seed])
        self._begun = True
        self.agents = list(self.possible_agents)
        info = self._episodes.info([])
        self._show()
        return self._observations(self.agents), {agent: dict(info) for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, NDArray[np.float32]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Makes `frame_skip` ticks with the actions of all agents that are left."""
        if not self.agents:
            raise gymnasium.error.ResetNeeded("no agent is left: call reset()")
        episodes = self._episodes
        messages = episodes.step(self._row(actions))
        stepped = self.agents
        place = self.possible_agents.index
        rewards = {agent: float(episodes.rewards[0, place(agent)]) for agent in stepped}
        ended = {agent: bool(episodes.terminated[0, place(agent)]) for agent in stepped}
        cut = {agent: bool(episodes.truncated[0]) for agent in stepped}
        info = episodes.info(messages)
        infos: dict[str, dict[str, Any]] = {agent: dict(info) for agent in stepped}
        self.agents = [agent for agent in stepped if not (ended[agent] or cut[agent])]
        self._show()
        return self._observations(stepped), rewards, ended, cut, infos

    def _observations(self, agents: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        views = self._episodes.views
        return {agent: views[self.possible_agents.index(agent)][0].copy() for agent in agents}

    def _row(self, actions: dict[str, Any]) -> NDArray[Any]:
        """The actions of all players in a row. Players that are no longer agents do nothing."""
        if not isinstance(actions, Mapping):
            raise TypeError(f"actions must be a map with the action of each agent, not {actions!r}")
        unknown = [agent for agent in actions if agent not in self.possible_agents]
        if unknown:
            raise ValueError(f"there is no agent {unknown[0]!r}; there are {self.possible_agents}")
        parts = []
        for agent, named_parts in zip(self.possible_agents, self._episodes.parts):
            space = self.action_spaces[agent]
            if agent not in self.agents:
                parts.append(idle_action(named_parts))
            elif agent not in actions:
                raise ValueError(f"there is no action for the agent {agent!r}")
            else:
                given = checked_action(space, actions[agent], space.shape or ())
                if given not in space:
                    raise ValueError(f"the action of the agent {agent!r} is not in its space: {given.tolist()}")
                parts.append(given)
        return np.concatenate(parts)[np.newaxis]


#: PettingZoo's name for what makes an environment.
parallel_env = HangtimeParallelEnv
