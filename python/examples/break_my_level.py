"""Looks for inputs that break a level: random keys until a body leaves the level, is stuck, or a script fails.

    python break_my_level.py --root crossing --level broken --out found
    python break_my_level.py --root mygame --level first --tries 100000 --ray

With `--out`, every finding is saved as an input file, with the commands that play it. `hangtime run LEVEL --input FILE
--gif FILE.gif` shows it.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path

import pieces

import hangtime

HERE = Path(__file__).resolve().parent

#: What is held: combinations that players use, the common ones more often.
HELD = [["right"], ["right"], ["right", "jump"], ["right", "jump"], ["left"], ["left", "jump"], ["jump"], ["down"], []]

#: A body that stays in a box of this size (px) for this long (s), whatever is held, is stuck.
STUCK_SIZE, STUCK_SECONDS = 260.0, 12.0

#: Findings of the same kind whose x differ by less than this (px) are one.
SAME = 400.0


def play(world: hangtime.World, entity: str, rng: random.Random, seconds: float):
    """Plays random keys. Returns what has gone wrong, where, and the lines of the input; `None` if nothing has."""
    lines, trail = [], []
    while world.time < seconds:
        held = rng.choice(HELD)
        ticks = rng.choice((4, 8, 15, 30))
        lines.append(" ".join([str(ticks), *held]))
        column = world.observe(["pos.x", "pos.y"], [entity])
        at = column[:, 0].tolist()
        world.step(ticks, held)
        faults = world.faults()
        if faults:
            return "script", at, faults[0].splitlines()[0], lines
        for event in world.events:
            if event["event"] in ("fall_out", "crush") and event["entity"] == entity:
                return event["event"], at, f"at {at[0]:.0f}, {at[1]:.0f}", lines
        trail.append((world.time, *world.observe(["pos.x", "pos.y"], [entity])[:, 0].tolist()))
        recent = [place for place in trail if place[0] > world.time - STUCK_SECONDS]
        if len(recent) < len(trail):
            size = max(max(p[axis] for p in recent) - min(p[axis] for p in recent) for axis in (1, 2))
            if size < STUCK_SIZE:
                return "stuck", at, f"at {at[0]:.0f}, {at[1]:.0f}", lines
    return None


def search(folder: Path, piece: int, job: dict) -> list[dict]:
    """Plays the tries of one piece. Returns what was found, each kind once for each place."""
    start = hangtime.Game(folder).world(job["level"])
    found = {}
    for seed in range(piece * job["size"], (piece + 1) * job["size"]):
        broken = play(start.fork(), job["entity"], random.Random(seed), job["seconds"])
        if broken is None:
            continue
        kind, at, what, lines = broken
        # A script fails in the same place wherever the body is.
        place = (kind, what) if kind == "script" else (kind, round(at[0] / SAME))
        found.setdefault(place, {"place": place, "what": what, "try": seed, "lines": lines})
    return list(found.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=HERE / "crossing", help="game folder")
    parser.add_argument("--level", default="broken")
    parser.add_argument("--entity", default="hero", help="the entity that is played [hero]")
    parser.add_argument("--tries", type=int, default=2000, help="[2000]")
    parser.add_argument("--size", type=int, default=50, help="tries of a piece [50]")
    parser.add_argument("--seconds", type=float, default=40.0, help="of play in each try [40]")
    parser.add_argument("--out", type=Path, help="write an input file for each finding into this folder")
    pieces.add_options(parser)
    options = parser.parse_args()
    job = {name: getattr(options, name) for name in ("level", "entity", "size", "seconds")}
    if options.tries < 1 or options.size < 1:
        parser.error("--tries and --size must be at least 1")
    with pieces.clean_errors():
        hangtime.Game(options.root).world(options.level).judge(options.entity)
        if options.out:
            options.out.mkdir(parents=True, exist_ok=True)
    count = -(-options.tries // options.size)
    began = time.perf_counter()
    found: dict = {}
    for _, outcome in pieces.run(search, count, options.root, job, options):
        for finding in outcome:
            best = found.setdefault(tuple(finding["place"]), finding)
            if finding["try"] < best["try"]:
                found[tuple(finding["place"])] = finding
    for number, finding in enumerate(sorted(found.values(), key=lambda f: f["try"]), 1):
        kind = finding["place"][0]
        print(f"{kind}: {finding['what']} (try {finding['try']})")
        if options.out:
            text = f"level {options.level}\n# {kind}: {finding['what']}\n" + "\n".join(finding["lines"]) + "\n"
            inputs = options.out / f"{number}-{kind}.input"
            inputs.write_text(text)
            pieces.show_how_to_play(options.root, options.level, inputs)
    summary = {"tries": count * options.size, "found": len(found), "seconds": round(time.perf_counter() - began, 2)}
    print(json.dumps(summary))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
