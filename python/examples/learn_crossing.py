"""Trains an agent that crosses the sample level, with NumPy alone: evolution strategies on a small network.

    python learn_crossing.py                          # all worlds in this process
    python learn_crossing.py --actors 8 --address auto    # on a pool of actors of Ray

Every generation plays variants of the network, one in each world, and moves toward the better ones.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np
import pieces

import hangtime

HERE = Path(__file__).resolve().parent

#: What the agent can do: left, none or right; and whether it jumps.
PARTS = ["sideways", "jump"]
HIDDEN = 16


class Player:
    """Plays variants of the network, each in a world."""

    def __init__(self, root: str, worlds: int, threads: int | None = None) -> None:
        self.env = hangtime.HangtimeVectorEnv(
            root, "crossing", worlds, actions=PARTS, rays=16, max_ticks=480, threads=threads, copy=False
        )
        names = self.env.observation_names
        self.scale = np.ones(len(names), np.float32)
        for place, name in enumerate(names):
            self.scale[place] = 1 / 800 if "(px)" in name else 1 / 400 if "(px/s)" in name else 1.0

    def size(self) -> int:
        """How many numbers the network has."""
        return (len(self.scale) + 1) * HIDDEN + (HIDDEN + 1) * 5

    def returns(self, networks: np.ndarray) -> np.ndarray:
        """The sum of the rewards of each network's first episode."""
        worlds, inputs = len(networks), len(self.scale)
        split = (inputs + 1) * HIDDEN
        first = networks[:, :split].reshape(worlds, inputs + 1, HIDDEN)
        second = networks[:, split:].reshape(worlds, HIDDEN + 1, 5)
        seen, _ = self.env.reset(seed=0)
        total, alive = np.zeros(worlds), np.ones(worlds, bool)
        while alive.any():
            hidden = np.tanh(np.einsum("wi,wih->wh", seen * self.scale, first[:, :-1]) + first[:, -1])
            out = np.einsum("wh,who->wo", hidden, second[:, :-1]) + second[:, -1]
            actions = np.stack([out[:, :3].argmax(1), out[:, 3:].argmax(1)], 1)
            seen, rewards, terminated, truncated, _ = self.env.step(actions)
            total += np.where(alive, rewards, 0.0)
            alive &= ~(terminated | truncated)
        return total


class Pool:
    """The same on several actors of Ray."""

    def __init__(self, options: argparse.Namespace) -> None:
        import ray

        self.ray = ray
        here = {"include_dashboard": False, "logging_level": "ERROR"} if options.address is None else {}
        ray.init(options.address, log_to_driver=False, **here)
        remote = ray.remote(Player).options(num_cpus=1, max_restarts=3, max_task_retries=3)
        each = options.worlds // options.actors
        self.actors = [remote.remote(str(options.root), each, 1) for _ in range(options.actors)]

    def size(self) -> int:
        return self.ray.get(self.actors[0].size.remote())

    def returns(self, networks: np.ndarray) -> np.ndarray:
        parts = np.array_split(networks, len(self.actors))
        waiting = [actor.returns.remote(part) for actor, part in zip(self.actors, parts)]
        return np.concatenate(self.ray.get(waiting))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=HERE / "crossing")
    parser.add_argument("--worlds", type=int, default=256, help="variants in a generation [256]")
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--actors", type=int, default=0, help="play on this many actors of Ray")
    parser.add_argument("--address", help="of a Ray cluster, or auto [default: this machine alone]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--goal", type=float, default=100.0, help="stop at this return [100: the goal is reached]")
    options = parser.parse_args()
    if options.generations < 1:
        parser.error("--generations must be at least 1")
    if options.actors < 0:
        parser.error("--actors must be at least 0")
    step = 2 * max(options.actors, 1)
    if options.worlds < step or options.worlds % step:
        parser.error(f"--worlds must be a multiple of {step}")
    with pieces.clean_errors():
        hangtime.Game(options.root).world("crossing")
    player = Pool(options) if options.actors else Player(str(options.root), options.worlds)
    rng = np.random.default_rng(options.seed)
    network = 0.3 * rng.standard_normal(player.size())
    deviation, rate = 0.15, 0.25
    began, best = time.perf_counter(), -np.inf
    for generation in range(options.generations):
        half = rng.standard_normal((options.worlds // 2, network.size))
        # Each variant has a mirrored one, so that luck cancels out.
        noise = np.concatenate([half, -half])
        returns = player.returns((network + deviation * noise).astype(np.float32))
        ranks = returns.argsort().argsort() / (len(returns) - 1) - 0.5
        network += rate * (ranks @ noise) / np.sqrt(len(returns))
        best = max(best, returns.max())
        print(f"generation {generation}: mean {returns.mean():.1f}, best {returns.max():.1f}", file=sys.stderr)
        if np.median(returns) >= options.goal:
            break
    found = {
        "generations": generation + 1,
        "median": round(float(np.median(returns)), 1),
        "best": round(float(best), 1),
        "seconds": round(time.perf_counter() - began, 1),
    }
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
