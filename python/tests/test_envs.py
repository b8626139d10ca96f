"""Environments for Gymnasium."""

import inspect
import multiprocessing
import pydoc
import re
import sys
import threading
import time
import typing
import warnings

import gymnasium
import numpy as np
import pytest
from conftest import CROSSING, FLOOR, run_program
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import hangtime
from hangtime import HangtimeEnv, HangtimeVectorEnv
from hangtime._options import EpisodeOptions


def crossing_env(**options):
    return HangtimeEnv(CROSSING, "crossing", **options)


@pytest.mark.parametrize(
    "options", [{}, {"actions": "continuous"}, {"rays": 0, "actions": ["sideways", "jump"]}]
)
def test_check_env_passes_without_warnings(options):
    env = crossing_env(**options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("level", ["playground", "landing", "courtyard", "swing", "five", "hoppers"])
@pytest.mark.filterwarnings("ignore:every reward is 0")
def test_check_env_passes_for_every_model(level):
    env = HangtimeEnv(CROSSING.parent.parent.parent, level, max_ticks=100)
    check_env(env, skip_render_check=True)
    env.reset(seed=1)
    env.action_space.seed(1)
    while True:
        seen, _, terminated, truncated, _ = env.step(env.action_space.sample())
        assert seen in env.observation_space
        if terminated or truncated:
            break


def numbers(env, seen):
    """An observation by name, without units."""
    return dict(zip((name.split(" ")[0] for name in env.observation_names), seen.tolist(), strict=True))


def test_observations_are_what_the_world_shows():
    env = crossing_env(frame_skip=1, rays=8, ray_length=200, variables=["fallen"])
    seen, _ = env.reset(seed=1)
    assert numbers(env, seen)["pos.x"] == 60
    for _ in range(30):
        seen, *_ = env.step(np.array([2, 1, 1, 0, 0]))
    line = env.world.line()["entities"][0]
    found = numbers(env, seen)
    assert found["pos.x"] == np.float32(line["pos"][0])
    assert found["vel.y"] == np.float32(line["vel"][1])
    assert found["grounded"] == float(line["grounded"]) == 0
    assert found["mode.air"] == 1 and found["mode.ground"] == 0
    assert found["vars.fallen"] == 0
    # Straight down is the ray after three quarters of the rays.
    x, y = line["pos"][:2]
    hit = env.world.cast((x, y), (x, y - 200))
    below = 200 if hit is None else y - hit[1]
    assert found["ray.6"] == pytest.approx(below, abs=0.01)
    assert "pos.x (px)" in env.observation_names
    assert "vel.x (px/s)" in env.observation_names


def test_other_entities_are_seen_relative_to_the_body(small):
    small.write("config/entities/stone.toml", "")
    floor = (small.folder / "levels/floor.toml").read_text()
    small.write("levels/floor.toml", floor + '[[entity]]\nkind = "stone"\nname = "rock"\nat = [70, 19]\n')
    small.script("fn reward(me) { 0 }\nfn on_tick(me) { this.n += 1; }")
    env = HangtimeEnv(small.folder, "floor", rays=0, frame_skip=1)
    seen, _ = env.reset(seed=0)
    found = numbers(env, seen)
    assert (found["rock.there"], found["rock.pos.x"], found["rock.pos.y"]) == (1, 70, 0)
    env = HangtimeEnv(small.folder, "floor", rays=0, entities=[])
    assert not any(name.startswith("rock") for name in env.observation_names)
    with pytest.raises(ValueError, match="there is no entity `rok`; did you mean `rock`"):
        HangtimeEnv(small.folder, "floor", entities=["rok"])


def test_actions_are_those_of_the_model_and_the_game(small):
    env = crossing_env()
    assert env.action_names == ["sideways", "upright", "jump", "hook", "aim"]
    assert env.action_space == gymnasium.spaces.MultiDiscrete([3, 3, 2, 2, 9])
    small.script("fn reward(me) { this.thrown }\nfn on_throw(me) { this.thrown += 1; }")
    small.write("config/hangtime.toml", '[keys]\nthrow = "KeyE"\n')
    small.write(
        "config/entities/hero.toml", 'script = "hero.rhai"\nmodel = "topdown"\nvars = { thrown = 0 }\n'
    )
    floor = (small.folder / "levels/floor.toml").read_text()
    small.write("levels/floor.toml", 'view = "top"\n' + floor)
    small.script(
        'fn reward(me) { this.thrown }\nfn on_tick(me) { if me.pressed("throw") { this.thrown += 1; } }'
    )
    env = HangtimeEnv(small.folder, "floor")
    assert env.action_names == ["sideways", "upright", "jump", "throw"]
    env.reset(seed=1)
    assert env.step([1, 1, 0, 1])[1] == 1
    assert env.step([1, 1, 0, 1])[1] == 1, "it is still held"
    env.step([1, 1, 0, 0])
    assert env.step([1, 1, 0, 1])[1] == 2


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ([2, 1, 1, 0], "shape"),
        ([3, 1, 1, 0, 0], "`sideways` must be 0 to 2, not 3"),
        ([2, 1, 1, 0, -1], "`aim` must be 0 to 8, not -1"),
        ([2.0, 1.0, 1.0, 0.0, 0.0], "whole numbers"),
        ("right", "shape"),
        (None, "shape"),
    ],
)
def test_wrong_actions_are_named_and_change_nothing(action, says):
    env = crossing_env()
    env.reset(seed=1)
    before = env.world.hash
    with pytest.raises(ValueError, match=says):
        env.step(action)
    assert env.world.hash == before
    env.step(env.action_space.sample())


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1.5])
def test_numbers_out_of_range_are_no_actions(wrong):
    env = crossing_env(actions="continuous")
    env.reset(seed=1)
    action = np.zeros(env.action_space.shape, np.float32)
    action[0] = wrong
    with pytest.raises(ValueError, match="`sideways` must be -1 to 1"):
        env.step(action)


def test_stepping_before_the_start_or_after_the_end_is_refused():
    env = crossing_env(max_ticks=8)
    with pytest.raises(gymnasium.error.ResetNeeded, match="has not begun"):
        env.step(env.action_space.sample())
    env.reset(seed=1)
    assert env.step(env.action_space.sample())[3] is False
    assert env.step(env.action_space.sample())[3] is True
    with pytest.raises(gymnasium.error.ResetNeeded, match="has ended"):
        env.step(env.action_space.sample())
    env.reset()
    env.step(env.action_space.sample())
    vector = HangtimeVectorEnv(CROSSING, "crossing", 2)
    with pytest.raises(gymnasium.error.ResetNeeded, match="has begun"):
        vector.step(vector.action_space.sample())


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"player": 2}, "no player 2; it has 1"),
        ({"player": 300}, "player must be 1 to 8, not 300"),
        ({"rays": 361}, "rays must be 0 to 360"),
        ({"rays": -1}, "rays must be 0 to 360, not -1"),
        ({"ray_length": float("nan")}, "ray_length must be above 0 and at most 100000 px, not NaN"),
        ({"ray_length": 10**400}, "ray_length must not be that large"),
        ({"frame_skip": 0}, "frame_skip must be 1 to 100000 ticks, not 0"),
        ({"frame_skip": -3}, "frame_skip must be 1 to 100000 ticks, not -3"),
        ({"max_ticks": 0}, "max_ticks must be at least 1 tick, or None for no end, not 0"),
        ({"max_ticks": -1}, "max_ticks must be at least 1 tick, or None for no end, not -1"),
        ({"variables": ["falen"]}, "variables: there is no variable `falen`; did you mean `fallen`?"),
        ({"variables": ["vars.fallen"]}, "variables: leave out `vars.`: `fallen`"),
        ({"entities": ["hera"]}, "there is no entity `hera`; did you mean `hero`?"),
        ({"render_mode": "ansi"}, "render_mode must be None, .rgb_array. or .human., not .ansi."),
        ({"reward": lambda world: 0, "differences": True}, "leave out reward or differences"),
        ({"actions": "all"}, "actions must be"),
        ({"actions": ["jmp"]}, "there is no part `jmp`; did you mean `jump`?"),
        ({"threads": 0}, "threads must be 1"),
    ],
)
def test_wrong_options_are_named(options, says):
    with pytest.raises(ValueError, match=says):
        crossing_env(**options)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_are_not_negative_or_huge(seed):
    env = HangtimeVectorEnv(CROSSING, "crossing", 2)
    with pytest.raises(ValueError, match="seed must be 0 to"):
        env.reset(seed=[0, seed])


@pytest.mark.parametrize("level", [3, None, ["crossing"]])
def test_levels_that_are_not_names_are_refused(level):
    with pytest.raises(TypeError, match="level must be the name of a level, not"):
        HangtimeEnv(CROSSING, level)


def test_unknown_levels_are_named():
    with pytest.raises(hangtime.GameError, match="crosing.*did you mean"):
        HangtimeEnv(CROSSING, "crosing")


def test_without_rewards_there_is_a_warning_that_names_what_to_write(small):
    with pytest.warns(UserWarning, match=r"no rule `reward`: add it to scripts/hero\.rhai, as in `fn reward\(me\)"):
        env = HangtimeEnv(small.folder, "floor")
    env.reset(seed=1)
    assert env.step(env.action_space.sample())[1] == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = HangtimeEnv(small.folder, "floor", reward=lambda world: world.observe(["vars.n"])[0, 0])
    env.reset(seed=1)
    assert env.step(env.action_space.sample())[1] == 4


def test_reload_changes_the_rewards_of_the_running_episode(small):
    small.script("fn reward(me) { 1 }\nfn on_tick(me) { this.n += 1; }")
    env = HangtimeEnv(small.folder, "floor")
    vector = HangtimeVectorEnv(small.folder, "floor", 3)
    still = np.array([1, 1, 0, 0, 0])
    env.reset(seed=1)
    vector.reset(seed=1)
    assert env.step(still)[1] == 1
    small.script("fn reward(me) { this.n }\nfn done(me) { this.n == 8 }\nfn on_tick(me) { this.n += 1; }")
    assert env.step(still)[1] == 1
    vector.step(np.tile(still, (3, 1)))
    vector.step(np.tile(still, (3, 1)))
    assert env.reload() == vector.reload() == ["scripts/hero.rhai"]
    _, reward, terminated, _, _ = env.step(still)
    assert (reward, terminated) == (12, False)
    _, rewards, _, _, _ = vector.step(np.tile(still, (3, 1)))
    assert rewards.tolist() == [12, 12, 12]
    env.reset()
    env.step(still)
    assert env.step(still)[1:3] == (8, True)
    small.script("fn reward(me) {")
    with pytest.raises(hangtime.GameError, match=r"scripts/hero\.rhai:1"):
        vector.reload()
    assert vector.step(np.tile(still, (3, 1)))[1].tolist() == [16, 16, 16]


def test_faults_of_scripts_are_in_the_info(small):
    small.script("fn reward(me) { if me.x > 20 { nothing() } else { 1 } }")
    env = HangtimeEnv(small.folder, "floor")
    env.reset(seed=1)
    info = {}
    while "faults" not in info:
        _, reward, _, _, info = env.step([2, 1, 0, 0, 0])
    assert reward == 0
    assert "scripts/hero.rhai:1:" in info["faults"][0] and "`reward` of `hero`" in info["faults"][0]
    vector = HangtimeVectorEnv(small.folder, "floor", 2)
    vector.reset(seed=1)
    for _ in range(10):
        infos = vector.step(np.array([[2, 1, 0, 0, 0], [1, 1, 0, 0, 0]]))[4]
    assert infos["_faults"].tolist() == [True, False]
    assert infos["faults"][1] is None and "scripts/hero.rhai" in infos["faults"][0][0]


def test_an_entity_that_is_gone_ends_its_episode(small):
    small.script("fn reward(me) { 1 }\nfn on_tick(me) { this.n += 1; if this.n == 10 { me.remove(); } }")
    env = HangtimeEnv(small.folder, "floor")
    env.reset(seed=1)
    ends = [env.step([1, 1, 0, 0, 0])[2] for _ in range(3)]
    assert ends == [False, False, True]
    env.reset()
    assert env.step([1, 1, 0, 0, 0])[2] is False


@pytest.mark.parametrize("hz", [30, 60, 120, 240])
def test_an_episode_plays_like_the_program(program, tmp_path, hz):
    settings = {"simulation.tick_hz": hz}
    env = crossing_env(records=True, frame_skip=3, settings=settings)
    env.action_space.seed(hz)
    env.reset(seed=11)
    for _ in range(60):
        if any(env.step(env.action_space.sample())[2:4]):
            break
    world = env.world
    file = tmp_path / "episode.input"
    file.write_text(env.input_file)
    said = run_program(program, "--root", str(CROSSING), "run", "--input", str(file), "crossing")
    assert f"{world.tick} ticks" in said and f"hash {world.hash}" in said
    again = hangtime.Game(CROSSING).world("crossing", seed=11, settings=settings)
    text = "".join(line for line in env.input_file.splitlines(True) if line[0].isdigit())
    again.step(world.tick, text)
    assert again.hash == world.hash


@pytest.mark.parametrize("actions", ["discrete", "continuous"])
def test_the_vectorized_env_equals_single_ones(actions):
    options = {"max_ticks": 60, "actions": actions, "hashes": True}
    many = HangtimeVectorEnv(CROSSING, "crossing", 6, **options)
    one = HangtimeVectorEnv(CROSSING, "crossing", 6, threads=1, **options)
    single = SyncVectorEnv([lambda: crossing_env(**options)] * 6)
    assert many.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert many.observation_space == single.observation_space
    assert many.action_space == single.action_space
    many.action_space.seed(5)
    first = [env.reset(seed=5)[0] for env in (many, one, single)]
    assert (first[0] == first[1]).all() and (first[0] == first[2]).all()
    hashes = set()
    ended = 0
    for _ in range(50):
        action = many.action_space.sample()
        results = [env.step(action) for env in (many, one, single)]
        for other in results[1:]:
            for mine, theirs in zip(results[0][:4], other[:4], strict=True):
                assert mine.dtype == theirs.dtype and (mine == theirs).all()
            assert results[0][4].keys() == other[4].keys()
            for key, mine in results[0][4].items():
                assert list(mine) == list(other[4][key]), key
        hashes |= set(results[0][4]["hash"])
        ended += int(results[0][3].sum())
    assert ended >= 12, "several episodes have ended"
    assert len(hashes) > 100, "states differ"


@pytest.mark.filterwarnings("ignore:every reward is 0")
@pytest.mark.parametrize("count", [1, 7, 64, 65, 131])
def test_any_number_of_worlds_on_any_number_of_threads_plays_the_same(count):
    """How the worlds are shared among threads depends on both numbers, and the memory that their inputs use on that."""
    options = {"rays": 0, "frame_skip": 2, "max_ticks": 20}
    envs = [HangtimeVectorEnv(CROSSING, "field", count, threads=threads, **options) for threads in (1, 2, 5)]
    for env in envs:
        env.reset(seed=3)
        env.action_space.seed(4)
    ends = 0
    for _ in range(30):
        actions = envs[0].action_space.sample()
        first, *others = [env.step(actions) for env in envs]
        ends += first[3].sum()
        for other in others:
            for mine, its in zip(first[:4], other[:4]):
                assert np.array_equal(mine, its)
    # Each world has ended its episode twice, and different actions have led most of them to different places.
    assert ends == 2 * count
    assert len(np.unique(first[0], axis=0)) > count // 2


def test_seeds_decide_everything_that_is_random(small):
    small.script("fn reward(me) { this.n }\nfn on_tick(me) { this.n = world::random(); }")
    env = HangtimeVectorEnv(small.folder, "floor", 4, max_ticks=12)
    idle = np.tile([1, 1, 0, 0, 0], (4, 1))

    def rewards(seed):
        env.reset(seed=seed)
        return [env.step(idle)[1].tolist() for _ in range(12)]

    first = rewards(3)
    assert rewards(3) == first
    assert len({reward for row in first for reward in row if reward}) > 20, "worlds and episodes differ"
    assert rewards([3, None, 3, 4])[0][0] == first[0][0]
    assert rewards([3, None, 3, 4])[0][2] == first[0][0]


def test_a_reset_mask_leaves_the_others_alone():
    env = HangtimeVectorEnv(CROSSING, "crossing", 3)
    env.reset(seed=1)
    right = np.tile([2, 1, 0, 0, 0], (3, 1))
    for _ in range(5):
        seen = env.step(right)[0]
    mask = np.array([False, True, False])
    masked, _ = env.reset(options={"reset_mask": mask})
    assert (masked[[0, 2]] == seen[[0, 2]]).all()
    assert masked[1, 0] == 60 and seen[1, 0] > 60
    for wrong in (np.array([True]), np.zeros(3, bool), [True, True, True]):
        with pytest.raises((ValueError, TypeError)):
            env.reset(options={"reset_mask": wrong})


def test_copies_stay_and_arrays_are_used_again():
    right = np.tile([2, 1, 0, 0, 0], (2, 1))
    kept = HangtimeVectorEnv(CROSSING, "crossing", 2)
    kept.reset(seed=1)
    one, two = kept.step(right)[0], kept.step(right)[0]
    assert (one != two).any()
    reused = HangtimeVectorEnv(CROSSING, "crossing", 2, copy=False)
    reused.reset(seed=1)
    one, two = reused.step(right)[0], reused.step(right)[0]
    assert one is two


def test_a_thousand_worlds_step_without_the_gil():
    env = HangtimeVectorEnv(CROSSING, "crossing", 1024, frame_skip=50, max_ticks=None)
    env.reset(seed=1)
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
        env.step(np.tile([2, 1, 1, 0, 0], (1024, 1)))
        during = counted - before
    finally:
        running.clear()
        thread.join()
    assert during > 50


def test_threads_that_step_the_same_worlds_in_every_way_do_not_wait_for_each_other_forever(crossing):
    env = hangtime.HangtimeVectorEnv(CROSSING, "crossing", 32)
    env.reset(seed=1)
    actions = np.tile([2, 1, 1, 0, 0], (32, 1))
    batch, width = env._episodes.batch, len(env.observation_names)
    worlds = [crossing.world("crossing") for _ in range(8)]

    def steps_batch():
        observations, rewards = np.zeros((32, width), np.float32), np.zeros((32, 1))
        arrays = observations, rewards, np.zeros((32, 1), bool), np.zeros(32, bool), np.zeros(32, np.int64)
        for _ in range(100):
            batch.step(actions, *arrays)

    def steps_together():
        for _ in range(100):
            hangtime.step_together(worlds, 3)

    def steps_one():
        for _ in range(100):
            worlds[0].step(2)
            worlds[1].fork()

    threads = [threading.Thread(target=work, daemon=True) for work in (steps_batch, steps_together, steps_one) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert not any(thread.is_alive() for thread in threads)
    assert worlds[0].tick == 1000 and worlds[7].tick == 600


def step_in_a_child(env, result):
    result.put(env.step([2, 1, 0, 0, 0])[0].tolist())


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_steps_as_well():
    """Processes that are forked have none of their parent's threads."""
    env = crossing_env()
    env.reset(seed=1)
    context = multiprocessing.get_context("fork")
    result = context.Queue()
    child = context.Process(target=step_in_a_child, args=(env, result))
    child.start()
    found = result.get(timeout=60)
    child.join(timeout=60)
    assert found == env.step([2, 1, 0, 0, 0])[0].tolist()


def test_many_restarts_within_a_world_keep_its_ticks(small):
    small.script('fn reward(me) { 1 }\nfn on_tick(me) { this.n += 1; if this.n == 5 { world::restart(); } }')
    env = HangtimeEnv(small.folder, "floor", frame_skip=1, max_ticks=30, variables=["n"])
    env.reset(seed=1)
    seen = []
    truncated = False
    while not truncated:
        observation, _, _, truncated, _ = env.step([1, 1, 0, 0, 0])
        seen.append(numbers(env, observation)["vars.n"])
    assert len(seen) == 30 and 0 < max(seen) <= 5


def test_the_part_of_an_action_that_a_reload_has_removed_does_nothing_until_it_is_back(small):
    keys = small.folder / "config" / "hangtime.toml"
    keys.write_text('[keys]\ndash = "KeyD"\nkick = "KeyK"\n')
    small.write("config/entities/hero.toml", 'script = "hero.rhai"\nvars = { kicks = 0, dashes = 0 }\n')
    script = 'fn on_tick(me) { if me.pressed("kick") { this.kicks += 1; } DASH }\nfn reward(me) { this.kicks + 100 * DASHES }'
    with_dash = script.replace("DASHES", "this.dashes").replace("DASH", 'if me.pressed("dash") { this.dashes += 1; }')
    without = script.replace("DASHES", "this.dashes").replace("DASH", "")
    small.script(with_dash)
    env = HangtimeEnv(small.folder, "floor", actions=["dash", "kick"], frame_skip=1)
    env.reset(seed=1)

    def reward_of(dash, kick):
        reward = float(env.step(np.array([dash, kick]))[1])
        env.step(np.array([0, 0]))
        return reward

    assert reward_of(1, 0) == 100
    assert reward_of(0, 1) == 101
    small.script(without)
    keys.write_text('[keys]\nkick = "KeyK"\n')
    env.reload()
    assert reward_of(1, 0) == 101
    assert reward_of(1, 1) == 102
    small.script(with_dash)
    keys.write_text('[keys]\ndash = "KeyD"\nkick = "KeyK"\n')
    env.reload()
    assert reward_of(1, 0) == 202


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"variables": "fallen"}, "variables must be a list of names, not 'fallen'"),
        ({"entities": "hero"}, "entities must be a list of names, not 'hero'"),
        ({"actions": [1]}, "actions must be a list of names, and 1 is not one"),
        ({"reward": 3}, "reward must be a function of the world, not 3"),
        ({"settings": ["a"]}, "settings must be a map"),
        ({"ray_length": "far"}, "ray_length must be a number, not 'far'"),
        ({"ray_length": None}, "ray_length must be a number, not None"),
        ({"frame_skip": 2.0}, "frame_skip must be a whole number, not 2.0"),
        ({"ray": 3}, r"HangtimeEnv.__init__\(\) got an unexpected keyword argument 'ray'"),
    ],
)
def test_options_of_the_wrong_type_are_named(options, says):
    with pytest.raises(TypeError, match=says):
        crossing_env(**options)


def test_variables_of_other_kinds_are_not_those_of_the_player(small):
    small.write("config/entities/coin.toml", 'script = "coin.rhai"\nvars = { worth = 5 }\n')
    small.write("scripts/coin.rhai", "fn on_touch(me, event) { this.taken = true; }")
    small.script('fn reward(me) { this.n }\nfn on_tick(me) { this.n += 1; world::create("coin", 50, 100); }')
    floor = (small.folder / "levels/floor.toml").read_text()
    small.write("levels/floor.toml", floor + '[[entity]]\nkind = "coin"\nname = "gold"\nat = [70, 19]\n')
    # No entity of the level is a king, so no kind of the level has its script.
    small.write("config/entities/king.toml", 'script = "king.rhai"\n')
    small.write("scripts/king.rhai", "fn on_tick(me) { this.crown = 1; }")
    for wrong in ("worth", "taken", "coin", "crown"):
        with pytest.raises(ValueError, match=f"there is no variable `{wrong}`"):
            HangtimeEnv(small.folder, "floor", variables=[wrong])
    assert "vars.n" in HangtimeEnv(small.folder, "floor", variables=["n"]).observation_names
    small.write("scripts/royal.rhai", "fn crowned(it) { it.pomp = 1; } fn rule(me) { this.pomp }")
    small.script('import "royal" as royal;\nfn reward(me) { this.n }')
    assert "vars.pomp" in HangtimeEnv(small.folder, "floor", variables=["pomp"]).observation_names, "imported"


def messages_of(env, steps):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(steps):
            env.step(env.idle_action)
    return [str(one.message) for one in caught]


def test_a_rule_that_fails_warns_once(small):
    small.script("fn reward(me) { this.n + missing(me) }\nfn on_tick(me) { this.n += 1; }")
    for env in (HangtimeEnv(small.folder, "floor"), HangtimeVectorEnv(small.folder, "floor", 3)):
        env.reset(seed=1)
        (message,) = messages_of(env, 4)
        assert "missing" in message and "scripts/hero.rhai:1:" in message and "`reward` of `hero`" in message
        small.script("fn reward(me) { this.n * missing(me) }\nfn on_tick(me) { this.n += 1; }")
        env.reload()
        assert len(messages_of(env, 4)) == 1, "another mistake is another warning"
        small.script("fn reward(me) { this.n + missing(me) }\nfn on_tick(me) { this.n += 1; }")


def test_mistakes_in_files_that_do_not_keep_a_level_from_running_are_warnings(small):
    small.script("fn reward(me) { 1 }")
    small.write("levels/floor.toml", "vars = { unread = 1 }\n" + FLOOR)
    with pytest.warns(UserWarning, match="vars"):
        HangtimeEnv(small.folder, "floor")
    with pytest.warns(UserWarning, match="vars"):
        HangtimeVectorEnv(small.folder, "floor", 2)


def test_rewards_can_be_what_a_number_has_grown_by(small):
    small.write("config/entities/hero.toml", 'script = "hero.rhai"\nvars = { n = 0, coins = 7 }\n')
    small.script(
        """fn reward(me) { this.coins }
        fn done(me) { this.n == 40 }
        fn on_tick(me) { this.n += 1; if this.n % 12 == 0 { this.coins += 10 * this.n; } }"""
    )
    options = {"differences": True, "frame_skip": 4}
    env = HangtimeEnv(small.folder, "floor", **options)
    many = HangtimeVectorEnv(small.folder, "floor", 3, **options)
    single = SyncVectorEnv([lambda: HangtimeEnv(small.folder, "floor", **options)] * 3)
    env.reset(seed=1)
    many.reset(seed=1)
    single.reset(seed=1)
    expected = [0, 0, 120, 0, 0, 240, 0, 0, 360, 0]
    assert [env.step(env.idle_action)[1] for _ in range(10)] == expected
    for reward in [*expected, 0, *expected]:
        rewards = many.step(many.idle_action)[1]
        assert rewards.tolist() == single.step(many.idle_action)[1].tolist() == [reward] * 3
    env.reset()
    env.step(env.idle_action)
    small.script("fn reward(me) { 1000 + this.n }\nfn on_tick(me) { this.n += 1; }")
    env.reload()
    assert env.step(env.idle_action)[1] == 4, "the new rule begins with its own number"


def test_the_number_before_the_first_tick_may_be_missing(small):
    small.write("config/entities/hero.toml", 'script = "hero.rhai"\n')
    small.script("fn on_birth(me) { this.coins = 3; }\nfn on_tick(me) { this.coins += 1; }\nfn reward(me) { this.coins }")
    env = HangtimeEnv(small.folder, "floor", differences=True, variables=["coins"])
    seen, _ = env.reset(seed=1)
    assert numbers(env, seen)["vars.coins"] == 0, "`on_birth` runs in the first tick"
    seen, reward, *_ = env.step(env.idle_action)
    assert numbers(env, seen)["vars.coins"] == reward == 7


@pytest.mark.parametrize("actions", ["discrete", "continuous", ["sideways", "jump"]])
def test_the_idle_action_holds_nothing(actions):
    env = crossing_env(actions=actions, records=True)
    assert env.idle_action in env.action_space
    env.reset(seed=1)
    env.step(env.idle_action)
    assert env.input_file.splitlines()[-1] == "4"
    many = HangtimeVectorEnv(CROSSING, "crossing", 3, actions=actions)
    assert many.idle_action in many.action_space


def test_input_files_need_records_and_each_world_has_its_own():
    env = crossing_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="make the environment with `records=True`"):
        env.input_file
    many = HangtimeVectorEnv(CROSSING, "crossing", 2, records=True)
    many.reset(seed=5)
    actions = many.idle_action
    actions[1, 0] = 2
    many.step(actions)
    assert many.input_file(0).splitlines() == ["level levels/crossing.toml", "seed 5", "4"]
    assert many.input_file(1).splitlines() == ["level levels/crossing.toml", "seed 6", "4 right"]


def test_options_of_reset_that_do_not_exist_are_named():
    env, many = crossing_env(), HangtimeVectorEnv(CROSSING, "crossing", 2)
    env.reset(seed=1, options={})
    with pytest.raises(ValueError, match="no option 'sed'; there are none"):
        env.reset(options={"sed": 1})
    with pytest.raises(ValueError, match="no option 'mask'; there is reset_mask"):
        many.reset(seed=1, options={"mask": np.array([True, True])})


def test_pictures_show_the_level():
    env = crossing_env(render_mode="rgb_array", frame_skip=6)
    assert env.metadata["render_modes"] == ["rgb_array", "human"] and env.metadata["render_fps"] == 10
    env.reset(seed=1)
    first = env.render()
    assert first.shape == (360, 640, 3) and first.dtype == np.uint8
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 3
    assert (env.render() == first).all()
    for _ in range(5):
        env.step([2, 1, 0, 0, 0])
    assert (env.render() != first).any(), "the hero has moved"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It makes environments of other modes by names, and this one has no name.
        warnings.filterwarnings("ignore", message=".*alternative render modes")
        check_env(env)
    assert crossing_env().render_mode is None


def test_a_world_without_a_seed_in_a_list_begins_with_a_random_one():
    seeds = set()
    for _ in range(3):
        env = HangtimeVectorEnv(CROSSING, "crossing", 3)
        env.reset(seed=[1, None, 3])
        assert (env.world(0).seed, env.world(2).seed) == (1, 3)
        seeds.add(env.world(1).seed)
    assert len(seeds) == 3


def every_environment():
    """The environments, each with arguments that make it."""
    multiagent = pytest.importorskip("hangtime.multiagent")
    return [
        (HangtimeEnv, (CROSSING, "crossing")),
        (HangtimeVectorEnv, (CROSSING, "crossing", 2)),
        (multiagent.HangtimeParallelEnv, (CROSSING, "race")),
    ]


def test_help_has_the_type_the_default_and_the_docstring_of_every_option():
    shared = inspect.signature(EpisodeOptions).parameters
    page = (CROSSING.parent.parent.parent / "docs" / "python.md").read_text()
    for environment, given in every_environment():
        options = inspect.signature(environment).parameters
        types = typing.get_type_hints(environment.__init__)
        text = pydoc.render_doc(environment, renderer=pydoc.plaintext)
        assert all(options[name] == shared[name] for name in shared), environment
        assert list(options)[: len(given)] == ["game", "level", "num_envs"][: len(given)]
        for name, option in options.items():
            positional = option.kind is option.POSITIONAL_OR_KEYWORD
            assert positional == (name in ("game", "level", "num_envs")) == (option.default is option.empty)
            assert types[name] == option.annotation != option.empty
            assert len(re.findall(rf"^ \|      {name}: [`A-Z]", text, re.MULTILINE)) == 1, name
            assert positional or f"`{name}`" in page, f"docs/python.md does not have {name}"


@pytest.mark.parametrize(
    ("place", "wrong", "near"),
    [(0, "frame_skp", "frame_skip"), (1, "num_env", "num_envs"), (1, "max_tick", "max_ticks"), (2, "player", "players")],
)
def test_options_that_do_not_exist_are_named_with_the_environment(place, wrong, near):
    environment, given = every_environment()[place]
    says = rf"{environment.__name__}.__init__\(\) got an unexpected keyword argument '{wrong}'"
    # Python names the nearest one since 3.13.
    says += rf". Did you mean '{near}'\?" if sys.version_info >= (3, 13) else ""
    with pytest.raises(TypeError, match=says):
        environment(*given, **{wrong: 1})


def test_type_checkers_know_the_options():
    api = pytest.importorskip("mypy.api")
    code = """import hangtime
from hangtime.multiagent import HangtimeParallelEnv
hangtime.HangtimeEnv("game", "level", player=1, settings={"a": 1}, reward=lambda world: world.time)
hangtime.HangtimeVectorEnv("game", "level", 4, max_ticks=None, copy=False)
HangtimeParallelEnv("game", "level", players=[1, 2], render_mode="rgb_array")
hangtime.HangtimeEnv("game", "level", frame_skp=3)
hangtime.HangtimeVectorEnv("game", "level", 4, rays="many")
hangtime.HangtimeVectorEnv("game", "level", 4, render_mode="rgb_array")
hangtime.HangtimeVectorEnv("game", "level")
"""
    said, errors, _ = api.run(["--strict", "--python-executable", sys.executable, "-c", code])
    found = [line for line in said.splitlines() if "error:" in line]
    assert [line.split(":")[1] for line in found] == ["6", "7", "8", "9"], said + errors
    assert 'did you mean "frame_skip"' in found[0] and '"rays"' in found[1], said


def test_warnings_name_the_line_that_makes_or_steps_an_environment(small):
    small.script("fn reward(me) { 1 }\nfn on_tick(me) { nothing(); }")
    small.write("levels/floor.toml", "vars = { unread = 1 }\n" + FLOOR)
    multiagent = pytest.importorskip("hangtime.multiagent")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        one = HangtimeEnv(small.folder, "floor")
        many = HangtimeVectorEnv(small.folder, "floor", 2)
        several = multiagent.HangtimeParallelEnv(small.folder, "floor", players=[1])
        for env in (one, many, several):
            env.reset(seed=1)
        one.step(one.idle_action)
        many.step(many.idle_action)
        several.step({"hero": several.idle_action("hero")})
    assert len(caught) == 6
    assert {warning.filename for warning in caught} == {__file__}
    lines = [warning.lineno for warning in caught]
    assert lines == sorted(set(lines)), "no two warn at the same line"
