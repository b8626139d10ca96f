"""Games and worlds."""

import copy
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest
from conftest import CROSSING, FLOOR, run_program

import hangtime

INPUT = "0.3s right\n0.1s right jump\n0.4s left move=-0.5:0.25\n7 !jump aim=10:20\n"


def hashes(world, ticks):
    found = []
    for _ in range(ticks):
        world.step()
        found.append(world.hash)
    return found


@pytest.mark.parametrize("hz", [30, 60, 120, 240])
@pytest.mark.parametrize("part", [1, 7, 1000])
def test_a_world_ends_with_the_hash_of_the_program(small, program, tmp_path, hz, part):
    small.script("fn on_tick(me) { this.n += 1; if world::random() < 0.1 { me.jump(); } }")
    small.write("my.input", INPUT)
    arguments = ["--root", str(tmp_path), "run", "floor", "--input", str(tmp_path / "my.input")]
    said = run_program(
        program, *arguments, "--seed", "7", "--ticks", str(2 * hz), "--set", f"simulation.tick_hz={hz}"
    )
    world = small.game().world("floor", seed=7, settings={"simulation.tick_hz": hz})
    world.step(0, INPUT)
    while world.tick < 2 * hz:
        world.step(min(part, 2 * hz - world.tick))
    assert f"{2 * hz} ticks" in said
    assert f"hash {world.hash}" in said


def in_lua(small):
    """Gives the hero the script of the small game in Lua."""
    small.write("config/entities/hero.toml", 'script = "hero.luau"\nvars = { n = 0 }\n')
    small.write("scripts/hero.luau", "function on_tick(me) vars.n += 1; if world.random() < 0.1 then me:jump() end end")


@pytest.mark.skipif("Lua" not in hangtime.languages(), reason="the package was built without its feature `lua`")
def test_a_script_in_lua_has_the_hashes_of_the_same_one_in_rhai(small):
    small.script("fn on_tick(me) { this.n += 1; if world::random() < 0.1 { me.jump(); } }")
    in_rhai = hashes(small.game().world("floor", seed=7), 240)
    in_lua(small)
    assert hashes(small.game().world("floor", seed=7), 240) == in_rhai


@pytest.mark.skipif("Lua" in hangtime.languages(), reason="the package was built with its feature `lua`")
def test_a_package_without_lua_says_how_to_build_one_with_it(small):
    in_lua(small)
    with pytest.raises(hangtime.GameError, match=r"scripts/hero\.luau(?s:.*)maturin develop --features lua"):
        small.game().world("floor")


def test_columns_are_read_in_place():
    world = hangtime.Game(CROSSING).world("crossing")
    array = world.observe(["pos.x", "vel.x", "grounded"])
    assert array.shape == (3, 1) and array.dtype == np.float64
    before = array.copy()
    world.step(30, ["right"])
    assert (array == before).all(), "only `observe` reads"
    assert world.observe(["pos.x", "vel.x", "grounded"]) is array
    line = world.line()["entities"][0]
    assert array[:, 0].tolist() == [line["pos"][0], line["vel"][0], float(line["grounded"])]
    assert array[0, 0] > before[0, 0] + 50
    other = world.observe(["pos.x"], entities=["hero"])
    assert other is not array and other[0, 0] == array[0, 0]


def test_entities_that_spawn_and_despawn_change_the_array(small):
    small.write("config/entities/coin.toml", "")
    small.script('fn on_tick(me) { this.n += 1; if this.n == 3 { world::create("coin", 50, 100); } }')
    world = small.game().world("floor")
    assert world.observe(["pos.x"]).shape == (1, 1)
    world.step(5)
    assert world.observe(["pos.x"]).shape == (1, 2)
    assert len(world.entities) == 2


def test_variables_are_columns(small):
    world = small.game().world("floor")
    world.step(12)
    assert world.observe(["vars.n"])[0, 0] == 12
    names = [name for name, _, _ in world.columns()]
    assert world.observe(names).shape == (len(names), 1)


@pytest.mark.parametrize("ticks", [0, 1, 20, 60])
def test_forks_and_snapshots_play_on_like_the_original(small, ticks):
    small.script("fn on_tick(me) { this.n += 1; this.drawn = world::random(); }")
    game = small.game()
    world = game.world("floor", seed=3)
    world.step(ticks, INPUT)
    fork, deep = world.fork(), copy.deepcopy(world)
    saved = world.snapshot()
    other = game.world("floor")
    other.step(5)
    other.restore(saved)
    assert other.tick == ticks and other.queued == world.queued
    expected = hashes(world, 60)
    assert hashes(fork, 60) == expected
    assert hashes(deep, 60) == expected
    assert hashes(other, 60) == expected


def test_inputs_have_four_forms_that_mean_the_same(small):
    game = small.game()
    forms = [
        "10 right jump",
        ["right", "jump"],
        {"held": ["right", "jump"]},
        [{"held": ("right", "jump")}],
    ]
    results = set()
    for form in forms:
        world = game.world("floor")
        world.step(10, form)
        world.step(10)
        results.add(world.hash)
    assert len(results) == 1
    still = game.world("floor")
    still.step(20)
    assert still.hash not in results


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ("10 rihgt", "inputs:1:4"),
        (["rihgt"], "there is no action `rihgt`; did you mean `right`?"),
        ({"hold": []}, "there is no `hold`; did you mean `held`?"),
        ({"keys": []}, "there is no `keys`; it can be `aim`, `held`, `pressed` or `stick`"),
        ({"move": (1, 0)}, "there is no `move`; did you mean `stick`?"),
        ([{}, {"move": (1, 0)}], "there is no `move`; did you mean `stick`?"),
        (["move"], 'there is no action `move`; a stick needs a map, as in {"stick": (0.5, 0)}'),
        ({"held": ["stick"]}, 'there is no action `stick`; a stick needs a map, as in {"stick": (0.5, 0)}'),
        ("10 stick=1:0", "there is no axis `stick`; it can be `aim` or `move`"),
        ({"stick": (2, 0)}, "from -1 to 1"),
        ({"stick": (math.nan, 0)}, "finite"),
        ({"aim": (math.inf, 0)}, "finite"),
        ({"aim": "up"}, "two numbers"),
        (7, "inputs must be"),
        ([{}] * 9, "at most 8 players"),
    ],
)
def test_wrong_inputs_are_named_and_change_nothing(small, inputs, says):
    world = small.game().world("floor")
    world.step(3)
    before = world.hash
    with pytest.raises((hangtime.GameError, ValueError, TypeError)) as wrong:
        world.step(5, inputs)
    assert says in str(wrong.value)
    assert (world.hash, world.tick) == (before, 3)


def test_errors_of_files_have_the_place_and_a_caret(small):
    small.script("fn on_tick(me) { this.n += ; }")
    with pytest.raises(hangtime.GameError) as wrong:
        small.game().world("floor")
    text = str(wrong.value)
    assert "scripts/hero.rhai:1:" in text and "^" in text
    small.script("fn on_tick(me) { this.n += 1; }")
    with pytest.raises(hangtime.GameError, match="flor.*did you mean.*floor"):
        small.game().world("flor")
    with pytest.raises(hangtime.GameError, match="no such folder"):
        hangtime.Game(small.folder / "missing")
    with pytest.raises(hangtime.GameError, match="platformer.jump_sped"):
        small.game().world("floor", settings={"platformer.jump_sped": 600})
    with pytest.raises(ValueError, match="finite"):
        small.game().world("floor", settings={"platformer.jump_speed": math.nan})


@pytest.mark.parametrize("number", [-1, -(2**64), 2**64])
def test_numbers_of_ticks_and_seeds_are_not_negative_or_huge(small, number):
    game = small.game()
    world = game.world("floor")
    with pytest.raises(ValueError, match=f"ticks must be 0 to .*, not {number}"):
        world.step(number)
    assert world.tick == 0
    with pytest.raises(ValueError, match=f"seed must be 0 to .*, not {number}"):
        game.world("floor", seed=number)


def test_snapshots_of_other_levels_and_damaged_ones_are_refused(small):
    small.write("levels/other.toml", (small.folder / "levels/floor.toml").read_text())
    game = small.game()
    saved = game.world("other").snapshot()
    world = game.world("floor")
    world.step(4)
    before = world.hash
    for snapshot, says in [(saved, "other.toml"), (saved[:20], "not a snapshot"), (b"", "not a snapshot")]:
        with pytest.raises(hangtime.GameError, match=says):
            world.restore(snapshot)
    assert (world.hash, world.tick) == (before, 4)


def test_reload_keeps_the_state(small):
    world = small.game().world("floor")
    world.step(10)
    assert world.reload() == []
    small.script("fn on_tick(me) { this.n += 100; }")
    assert world.reload() == ["scripts/hero.rhai"]
    world.step()
    assert world.observe(["vars.n"])[0, 0] == 110
    small.script("fn on_tick(me) {")
    with pytest.raises(hangtime.GameError, match=r"scripts/hero\.rhai:1:"):
        world.reload()
    world.step()
    assert world.observe(["vars.n"])[0, 0] == 210


def test_settings_change_in_the_running_world(small):
    world = small.game().world("floor")
    world.set({"simulation.gravity": 100})
    world.step(60, ["jump"])
    light = world.observe(["pos.y"])[0, 0]
    heavy = small.game().world("floor")
    heavy.step(60, ["jump"])
    assert light > heavy.observe(["pos.y"])[0, 0] + 1


def test_events_are_those_of_the_last_step(small):
    world = small.game().world("floor")
    world.step(120, "1 jump")
    found = [event["event"] for event in world.events]
    assert "jump" in found and "land" in found
    land = next(event for event in world.events if event["event"] == "land")
    assert land["entity"] == "hero" and land["speed"] > 0
    world.step()
    assert world.events == []


def test_scripts_fault_and_print(small):
    small.script('fn on_tick(me) { print("tick"); nothing(); }')
    world = small.game().world("floor")
    world.step(2)
    assert world.printed() == ["tick", "tick"]
    faults = world.faults()
    assert len(faults) == 2 and "scripts/hero.rhai:1:" in faults[0] and "at tick 0" in faults[0]
    assert world.faults() == world.printed() == []


def test_rules_judge(small):
    small.script("fn reward(me) { me.x + 1 }\nfn done(me) { me.x > 0 }")
    world = small.game().world("floor")
    assert world.judge("hero") == (1.0, False)
    world.step(10, ["right"])
    reward, done = world.judge("hero")
    assert reward > 1 and done is True
    with pytest.raises(KeyError, match="there is no entity `her`"):
        world.judge("her")


def test_queries_and_teleports(small):
    world = small.game().world("floor")
    x, y = world.cast((30, 100), (30, -50))
    assert x == pytest.approx(30) and y == pytest.approx(0, abs=1e-3)
    assert world.cast((30, 100), (30, 50)) is None
    assert world.place("hero", (200, 300))
    assert world.observe(["pos.x"])[0, 0] == 200
    with pytest.raises(ValueError, match="finite"):
        world.place("hero", (math.nan, 0))


def test_a_placed_body_has_the_given_velocity(small):
    world = small.game().world("floor")
    assert world.place("hero", [200, 300, 0], velocity=(40, 120))
    x, y, vx, vy = world.observe(["pos.x", "pos.y", "vel.x", "vel.y"])[:, 0]
    assert (x, y, vx, vy) == (200, 300, 40, 120)
    assert not world.place("hero", (1e6, 1e6)), "outside of the level"
    for at, velocity, why in [
        ((0, 100, 5), None, "side view"),
        ((0,), None, "two numbers"),
        ((0, 100), (math.inf, 0), "finite"),
    ]:
        with pytest.raises(ValueError, match=why):
            world.place("hero", at, velocity)
    with pytest.raises(TypeError, match="list of numbers"):
        world.place("hero", "here")


def test_scripts_hear_an_emitted_event_in_the_next_tick(small):
    small.script("fn on_alarm(me, event) { print(`${event.entity} ${event.data.x} ${event.data.list[1]}`); }")
    world = small.game().world("floor")
    world.emit("alarm", {"x": 40, "list": (True, "two", None, np.float64(0.5))})
    fork = world.fork()
    restored = small.game().world("floor")
    restored.restore(world.snapshot())
    for heard in world, fork, restored:
        assert heard.printed() == []
        heard.step(2)
        assert heard.printed() == ["level 40 two"]


def test_data_that_scripts_could_not_emit_is_refused(small):
    world = small.game().world("floor")
    endless = []
    endless.append(endless)
    for data, error, why in [
        ([0] * 64, ValueError, "64 values"),
        ("x" * 4097, ValueError, "4096 bytes"),
        (endless, ValueError, "64 values"),
        (math.nan, ValueError, "finite"),
        (2**63, ValueError, "larger than an integer"),
        ({1: 2}, TypeError, "keys"),
        (object(), TypeError, "plain"),
    ]:
        with pytest.raises(error, match=why):
            world.emit("alarm", data)
    with pytest.raises(ValueError, match="built-in event"):
        world.emit("land")
    with pytest.raises(ValueError, match="write `alarm`"):
        world.emit("on_alarm")


def test_worlds_step_together_like_alone(crossing):
    inputs = [None, "30 right", ["right", "jump"], {"stick": (-1, 0)}]
    alone = [crossing.world("crossing", seed=i) for i in range(4)]
    together = [world.fork() for world in alone]
    for world, given in zip(alone, inputs):
        world.step(40, given)
    hangtime.step_together(together, 40, inputs)
    assert [world.hash for world in together] == [world.hash for world in alone]
    with pytest.raises(ValueError, match="one entry for each world"):
        hangtime.step_together(together, 1, [None])
    with pytest.raises(ValueError, match="twice"):
        hangtime.step_together([together[0], together[0]])


def test_other_threads_run_while_a_world_steps(crossing):
    world = crossing.world("crossing")
    counted, running = 0, threading.Event()
    running.set()

    def count():
        nonlocal counted
        while running.is_set():
            counted += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted
        world.step(20_000, ["right"])
        during = counted - before
    finally:
        running.clear()
        thread.join()
    # A thread that had to wait for the step would have counted a few times at most.
    assert during > 50


def test_one_world_can_be_used_by_several_threads(crossing):
    world = crossing.world("crossing")
    threads = [threading.Thread(target=lambda: [world.step() for _ in range(200)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert world.tick == 800


def test_deep_recursion_in_a_script_is_a_fault(small):
    small.script("fn deep(n) { if n == 0 { 0 } else { 1 + deep(n - 1) } }\nfn on_tick(me) { deep(100000); }")
    world = small.game().world("floor")
    world.step()
    assert len(world.faults()) == 1


def interrupted_when(condition):
    """A thread that presses Ctrl-C once something holds."""

    def wait():
        while not condition():
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    # A job in the background ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def test_other_threads_see_a_world_that_steps_and_ctrl_c_ends_the_step_and_what_is_held(crossing):
    world, other = crossing.world("crossing"), crossing.world("crossing")
    # A step of a year. The thread has to see two ticks of it.
    seen = set()
    thread = interrupted_when(lambda: not seen.add(world.tick) and len(seen) >= 3)
    with pytest.raises(KeyboardInterrupt):
        world.step(60 * 60 * 24 * 365 * 60, ["left"])
    thread.join()
    assert world.queued == 0
    worlds, seen = [world, other], set()
    thread = interrupted_when(lambda: not seen.add(other.tick) and len(seen) >= 3)
    with pytest.raises(KeyboardInterrupt):
        hangtime.step_together(worlds, 60 * 60 * 24 * 365 * 60, [["left"], ["right"]])
    thread.join()
    assert [world.queued for world in worlds] == [0, 0]


def test_a_mistake_in_the_inputs_of_one_world_moves_none_and_keeps_the_events(crossing):
    one, two = crossing.world("crossing"), crossing.world("crossing")
    one.step(60, "10 right jump\n90 right")
    events, queued = one.events, one.queued
    assert events and queued == 40
    with pytest.raises(hangtime.GameError, match="nonsense"):
        hangtime.step_together([one, two], 10, ["10 right", "nonsense"])
    with pytest.raises(hangtime.GameError, match="nonsense"):
        one.step(10, "nonsense")
    assert (one.tick, two.tick, one.queued) == (60, 0, queued)
    assert one.events == events


def test_a_script_that_changes_its_tuning_is_judged(small):
    small.script(
        """fn on_tick(me) { me.tune("platformer.run_speed_max", 300); }
        fn reward(me) { me.tuned("platformer.run_speed_max") }"""
    )
    world = small.game().world("floor")
    for _ in range(3):
        world.step(1)
        assert world.judge("hero") == (300.0, None)


ONE = '[[entity]]\nkind = "hero"\nname = "{}"\nat = [{}, 19]\nplayer = 1\n[[entity]]\nkind = "hero"\nname = "{}"\nat = [{}, 19]\n'
GROUND = "bounds = [-900, -900, 900, 900]\n[[solid]]\npoints = [[-500, -9], [500, -9], [500, 0], [-500, 0]]\n"


def two_levels(small):
    """A game whose hero goes to another level, where it has another id."""
    small.write("levels/one.toml", GROUND + ONE.format("hero", 0, "extra", 92))
    small.write("levels/two.toml", GROUND + ONE.format("friend", -88, "hero", 12))
    small.script('fn on_tick(me) { this.n += 1; if me.name == "hero" && this.n == 3 { world::play_level("two"); } }')
    return small.game().world("one")


def test_columns_do_not_show_another_entity_after_a_change_of_the_level(small):
    world = two_levels(small)
    assert world.observe(["id", "pos.x"], ["hero", "extra"]).tolist() == [[1, 2], [0, 92]]
    everything = world.observe(["pos.x"])
    world.step(10)
    assert world.entities == ["friend", "hero"]
    ids, at = world.observe(["id", "pos.x"], ["hero", "extra"]).tolist()
    assert (ids[0], at[0]) == (2, 12) and math.isnan(ids[1]) and math.isnan(at[1])
    now = world.observe(["pos.x"])
    assert now is not everything and now.tolist() == [[-88, 12]]


def test_rows_are_in_the_order_of_the_names_and_as_often(small):
    world = two_levels(small)
    assert world.observe(["pos.x"], ["extra", "hero"]).tolist() == [[92, 0]]
    assert world.observe(["pos.x"], ["hero", "extra", "hero"]).tolist() == [[0, 92, 0]]
    assert world.observe(["pos.x"], []).shape == (1, 0)


def test_entities_that_are_gone_are_nan_in_the_same_array(small):
    small.script("fn on_tick(me) { this.n += 1; if this.n == 3 { me.remove(); } }")
    world = small.game().world("floor")
    array = world.observe(["pos.x"], ["hero"])
    assert array.tolist() == [[0]]
    world.step(5)
    assert world.entities == []
    assert world.observe(["pos.x"], ["hero"]) is array and math.isnan(array[0, 0])
    assert math.isnan(world.fork().observe(["pos.x"], ["hero"])[0, 0])
    with pytest.raises(KeyError, match="there is no entity `hera`"):
        world.observe(["pos.x"], ["hera"])


def test_arrays_that_were_changed_in_place_are_replaced(small):
    world = small.game().world("floor")
    names = ["pos.x", "pos.y"]
    expected = world.observe(names).tolist()

    def reshape(array):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array.shape = (1, 2)

    def retype(array):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array.dtype = np.int64

    for change in (reshape, retype, lambda array: array.setflags(write=False)):
        changed = world.observe(names)
        change(changed)
        assert world.observe(names) is not changed
        assert world.observe(names).tolist() == expected


def test_readings_do_not_pile_up(small):
    world = small.game().world("floor")
    names = [name for name, _, _ in world.columns()]
    first = world.observe(["pos.x"])
    for one in names:
        for other in names:
            world.observe([one, other])
    assert world.observe(["pos.x"]) is not first
    assert world.observe(["pos.x"]) is world.observe(["pos.x"])


def test_the_garbage_collector_may_use_a_world_that_is_read(small):
    """In another process: it used to wait for ever, with the GIL."""
    code = f"""
import gc, hangtime
world = hangtime.Game({str(small.folder)!r}).world("floor")
names = [name for name, _, _ in world.columns()]
class Log:
    def __init__(self): self.me = self
    def __del__(self): world.tick, world.observe(["pos.x"]), world.events
gc.set_threshold(5)
for i in range(300):
    Log()
    world.step(1, ["jump"])
    world.events
    world.observe([names[i % len(names)], names[i // len(names) % len(names)]])
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_each_world_has_the_lines_that_it_has_printed(small):
    small.script("fn on_tick(me) { print(`${this.n}`); this.n += 1; }")
    game = small.game()
    one, two = game.world("floor"), game.world("floor")
    two.step(1)
    two.printed()
    one.step(3)
    hangtime.step_together([one, two], 1)
    fork = one.fork()
    fork.step(1)
    assert two.printed() == ["1"]
    assert one.printed() == ["0", "1", "2", "3"]
    assert fork.printed() == ["4"]
    one.step(2000)
    assert len(one.printed()) == 1000 and one.printed() == []


def test_variables_that_no_script_has_are_named(small):
    small.write("config/entities/hero.toml", 'script = "hero.rhai"\nvars = { coins = 0 }\n')
    small.script("fn on_tick(me) { this.late = 3; }")
    world = small.game().world("floor")
    assert world.observe(["vars.coins"])[0, 0] == 0
    assert math.isnan(world.observe(["vars.late"])[0, 0]), "one that was not set yet"
    with pytest.raises(ValueError, match="there is no variable `coinz`; did you mean `coins`?"):
        world.observe(["vars.coinz"])
    small.script('fn on_tick(me) { this["co" + "inz"] = 3; }')
    world.reload()
    assert math.isnan(world.observe(["vars.coinz"])[0, 0]), "it may exist"


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda world: world.observe("pos.x"), r'columns must be a list of names, as in \["pos.x"\]'),
        (lambda world: world.observe(["pos.x"], "hero"), "entities must be a list of names"),
        (lambda world: world.observe([1]), "columns must be a list of names"),
        (lambda world: hangtime.step_together([world], 1, "1"), "inputs must be a list with one entry for each world"),
        (lambda world: hangtime.step_together(world), "worlds must be a list of worlds"),
        (lambda world: world.step(1, {"held": "right"}), "`held` takes a list of actions"),
        (lambda world: world.step(1, {"held": [1]}), "actions are names"),
        (lambda world: world.set([("a", 1)]), "settings must be a map"),
    ],
)
def test_texts_are_no_lists_of_names(small, call, says):
    world = small.game().world("floor")
    with pytest.raises(TypeError, match=says):
        call(world)
    assert world.tick == 0


def test_errors_and_games_can_be_pickled(small):
    assert hangtime.GameError.__module__ == "hangtime"
    again = pickle.loads(pickle.dumps(hangtime.GameError("wrong")))
    assert type(again) is hangtime.GameError and str(again) == "wrong"
    game = pickle.loads(pickle.dumps(small.game()))
    assert game.folder == small.game().folder
    assert copy.deepcopy(game).world("floor").hash == small.game().world("floor").hash


@pytest.mark.parametrize("far", [1e7, 1e200, math.inf, math.nan])
def test_points_are_not_far_beyond_every_level(small, far):
    world = small.game().world("floor")
    with pytest.raises(ValueError, match="at most 1000000 px"):
        world.cast((far, 0), (0, 0))
    with pytest.raises(ValueError, match="at most 1000000 px"):
        world.place("hero", (0, -far))


def test_warnings_about_files_are_shown(small):
    assert small.game().world("floor").warnings == []
    small.write("levels/floor.toml", "vars = { unread = 1 }\n" + FLOOR)
    (warning,) = small.game().world("floor").warnings
    assert "levels/floor.toml:1:" in warning and "vars" in warning
