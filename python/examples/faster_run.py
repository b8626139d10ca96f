"""Finds a faster run through a level than its demo: a beam search over inputs, in which every world is a fork.

    python faster_run.py --out faster.input
    hangtime run playground --input faster.input --record faster.run --gif faster.gif
    hangtime replay faster.run

The finish is where the demo ends. A round holds each combination of keys for a few ticks in every world of the beam, and
keeps the worlds that have come farthest.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import pieces

import hangtime

REPOSITORY = Path(__file__).resolve().parent.parent.parent

#: What may be held in a round.
HELD = ("right", "right jump", "jump", "left", "left jump", "")


class Run:
    """A world of the beam, and what was held on the way."""

    def __init__(self, world: hangtime.World, lines: tuple[str, ...]) -> None:
        self.world, self.lines = world, lines


def state(world: hangtime.World, entity: str) -> list[float]:
    """Position (px), velocity (px/s), and whether it is on the ground."""
    columns = ["pos.x", "pos.y", "vel.x", "vel.y", "grounded"]
    return world.observe(columns, [entity])[:, 0].tolist()


def way_of(world: hangtime.World, text: str, entity: str) -> list[float]:
    """The x of each tick of an input file, px."""
    world.step(0, text)
    way = [state(world, entity)[0]]
    while world.queued:
        world.step(1)
        way.append(state(world, entity)[0])
    return way


def search(start: hangtime.World, finish: float, options: argparse.Namespace) -> Run | None:
    """The first run of the beam that reaches the finish."""
    beam = [Run(start, ())]
    for _ in range(options.rounds):
        forks = [Run(run.world.fork(), (*run.lines, held)) for run in beam for held in HELD]
        hangtime.step_together(
            [run.world for run in forks], options.ticks, [f"{options.ticks} {run.lines[-1]}" for run in forks]
        )
        best: dict = {}
        for run in forks:
            x, y, vx, vy, grounded = state(run.world, options.entity)
            # Of worlds that are nearly the same, one is enough.
            place = (round(x / 12), round(y / 12), round(vx / 60), round(vy / 120), grounded)
            score = x + 0.12 * vx + 0.05 * y
            if place not in best or best[place][0] < score:
                best[place] = (score, run, x)
        ranked = sorted(best.values(), key=lambda entry: -entry[0])
        done = [entry for entry in ranked if entry[2] >= finish]
        if done:
            return done[0][1]
        beam = [run for _, run, _ in ranked[: options.beam]]
    return None


def as_input(level: str, run: Run, ticks: int) -> str:
    """The run as an input file, with equal lines joined."""
    lines: list[list] = []
    for held in run.lines:
        if lines and lines[-1][1] == held:
            lines[-1][0] += ticks
        else:
            lines.append([ticks, held])
    return f"level {level}\n" + "".join(f"{count} {held}".rstrip() + "\n" for count, held in lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=REPOSITORY, help="game folder")
    parser.add_argument("--level", default="playground")
    parser.add_argument("--demo", type=Path, help="input file to beat [default: levels/LEVEL.input]")
    parser.add_argument("--entity", default="hero")
    parser.add_argument("--finish", type=float, help="x to reach, px [default: the farthest of the demo]")
    parser.add_argument("--beam", type=int, default=150, help="worlds that are kept in each round [150]")
    parser.add_argument("--ticks", type=int, default=6, help="ticks of a round [6]")
    parser.add_argument("--rounds", type=int, default=400, help="rounds after which to give up [400]")
    parser.add_argument("--out", type=Path, default=Path("faster.input"))
    options = parser.parse_args()
    demo = options.demo or options.root / "levels" / f"{options.level}.input"
    if min(options.beam, options.ticks, options.rounds) < 1:
        parser.error("--beam, --ticks and --rounds must be at least 1")
    with pieces.clean_errors():
        game = hangtime.Game(options.root)
        way = way_of(game.world(options.level), demo.read_text(), options.entity)
    finish = max(way) if options.finish is None else options.finish
    demo_ticks = next((tick for tick, x in enumerate(way) if x >= finish), None)
    began = time.perf_counter()
    run = search(game.world(options.level), finish, options)
    if run is None:
        print(f"no run reaches x = {finish:.1f} within {options.rounds} rounds", file=sys.stderr)
        return 1
    with pieces.clean_errors():
        options.out.write_text(as_input(options.level, run, options.ticks))
    pieces.show_how_to_play(options.root, options.level, options.out)
    print(json.dumps({
        "finish": round(finish, 1),
        "demo_ticks": demo_ticks,
        "ticks": run.world.tick,
        "hash": run.world.hash,
        "seconds": round(time.perf_counter() - began, 1),
    }))
    return 0


if __name__ == "__main__":
    sys.exit(main())
