"""Environments in the hands of other tools: registration, normalization, pickling, windows, Stable-Baselines3."""

import copy
import pickle
import re
import sys

import gymnasium
import numpy as np
import pytest
from conftest import CROSSING, FLOOR
from gymnasium.utils.env_checker import check_env

import hangtime
from hangtime import HangtimeEnv, HangtimeVectorEnv


def crossing_env(**options):
    return HangtimeEnv(CROSSING, "crossing", **options)


def test_environments_are_registered():
    options = {"game": CROSSING, "level": "crossing", "rays": 4}
    made = gymnasium.make("hangtime/Level-v0", **options)
    assert isinstance(made.unwrapped, HangtimeEnv) and made.unwrapped.rays == 4
    many = gymnasium.make_vec("hangtime/Level-v0", 3, vectorization_mode="vector_entry_point", **options)
    assert isinstance(many, HangtimeVectorEnv)
    own, all_of_them = made.reset(seed=4)[0], many.reset(seed=4)[0]
    assert (own == all_of_them[0]).all()
    gymnasium.register("test/crossing", entry_point=HangtimeEnv, kwargs={"game": hangtime.Game(CROSSING), "level": "crossing"})
    assert gymnasium.make("test/crossing").reset(seed=4)[0].size > own.size, "it has 16 rays"


def test_info_has_the_tick_and_on_request_the_hash():
    env = crossing_env(frame_skip=3, max_ticks=7, hashes=True)
    assert env.reset(seed=2)[1] == {"tick": 0, "hash": env.world.hash}
    ticks = []
    for _ in range(3):
        *_, truncated, info = env.step(env.idle_action)
        ticks.append(info["tick"])
        assert info["hash"] == env.world.hash
    assert ticks == [3, 6, 7] and truncated
    assert crossing_env().reset(seed=2)[1] == {"tick": 0}
    many = HangtimeVectorEnv(CROSSING, "crossing", 3, frame_skip=3, max_ticks=7)
    many.reset(seed=2)
    seen = [many.step(many.idle_action)[4]["tick"].tolist() for _ in range(5)]
    assert seen == [[3] * 3, [6] * 3, [7] * 3, [0] * 3, [3] * 3]
    infos = many.reset(options={"reset_mask": np.array([False, True, False])})[1]
    assert infos["tick"].tolist() == [0, 0, 0] and infos["_tick"].tolist() == [False, True, False]
    assert many.step(many.idle_action)[4]["tick"].tolist() == [6, 3, 6]


@pytest.mark.parametrize("reach", [100.0, 400.0])
def test_normalized_observations_are_the_same_numbers_in_other_units(small, reach):
    """The terrain of the small level reaches from (-1500, -100) to (1500, 0)."""
    small.write("config/entities/stone.toml", "")
    small.write("levels/floor.toml", FLOOR + '[[entity]]\nkind = "stone"\nname = "rock"\nat = [90, 19]\n')
    small.script("fn reward(me) { 0 }\nfn on_tick(me) { this.n += 1; }")
    options = {"ray_length": reach, "rays": 8, "variables": ["n"], "frame_skip": 5}
    plain = HangtimeEnv(small.folder, "floor", **options)
    scaled = HangtimeEnv(small.folder, "floor", normalize=True, **options)
    plain.reset(seed=1), scaled.reset(seed=1)
    for _ in range(20):
        before = plain.step([2, 1, 1, 0, 0])[0]
        after = scaled.step([2, 1, 1, 0, 0])[0]
        assert after in scaled.observation_space
        for full, raw, number in zip(plain.observation_names, before.tolist(), after.tolist(), strict=True):
            name, unit = re.fullmatch(r"(\S+)(?: \((.*)\))?", full).groups()
            expected = {"px": raw / reach, "px/s": raw / reach, "rad/s": raw / (2 * np.pi)}.get(unit, raw)
            if name == "pos.x":
                expected = raw / 1500
            if name == "pos.y":
                expected = (raw + 50) / 50
            assert number == pytest.approx(expected, rel=1e-5, abs=1e-5), full
    assert scaled.observation_names[0] == "pos.x", "it has no unit"
    rays = [name.startswith("ray.") for name in scaled.observation_names]
    assert (scaled.observation_space.high[rays] == 1).all()


def test_normalized_environments_pass_the_check():
    check_env(crossing_env(normalize=True), skip_render_check=True)


@pytest.mark.parametrize("name", ["frame_skip", "rays", "reward", "render_mode", "normalize"])
def test_options_cannot_change_after_the_start(name):
    env = crossing_env()
    with pytest.raises(AttributeError, match=f"{name} cannot change after the start: make another HangtimeEnv with {name}=3"):
        setattr(env, name, 3)
    assert getattr(env, name) != 3
    many = HangtimeVectorEnv(CROSSING, "crossing", 2)
    with pytest.raises(AttributeError, match="num_envs cannot change"):
        many.num_envs = 3
    many.note = "own attributes are free"


@pytest.mark.parametrize("act", [copy.copy, copy.deepcopy, pickle.dumps])
def test_copies_of_environments_say_what_to_do_instead(act):
    for env in (crossing_env(), HangtimeVectorEnv(CROSSING, "crossing", 2)):
        with pytest.raises(TypeError, match=f"a {type(env).__name__} cannot be pickled or copied: make another one"):
            act(env)


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        ("far", TypeError, "reward must return a number, not 'far'"),
        (None, TypeError, "reward must return a number, not None"),
        (float("nan"), ValueError, "reward must return a finite number, not nan"),
    ],
)
def test_rewards_that_are_not_numbers_are_named(answer, error, says):
    env = crossing_env(reward=lambda world: answer)
    env.reset(seed=1)
    with pytest.raises(error, match=says):
        env.step(env.idle_action)


def test_the_columns_that_editors_complete_are_those_that_worlds_have():
    stub = (CROSSING.parent.parent / "hangtime" / "_hangtime.pyi").read_text()
    listed = re.search(r"^Column: TypeAlias = Literal\[(.*?)^\]", stub, re.DOTALL | re.MULTILINE)
    assert re.findall(r'"(.*?)"', listed[1]) == [name for name, _, _ in hangtime.World.columns()]


@pytest.mark.filterwarnings("ignore:no fast renderer")
def test_a_window_shows_every_step(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame = pytest.importorskip("pygame")
    env = crossing_env(render_mode="human", frame_skip=1)
    env.reset(seed=1)
    shown = []
    for _ in range(3):
        env.step([2, 1, 0, 0, 0])
        shown.append(pygame.surfarray.array3d(pygame.display.get_surface()).transpose(1, 0, 2))
    # The same picture as an environment with pictures makes.
    other = crossing_env(render_mode="rgb_array", frame_skip=1)
    other.reset(seed=1)
    for picture in shown:
        other.step([2, 1, 0, 0, 0])
        assert (picture == other.render()).all()
    assert env.render() is None
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    with pytest.raises(KeyboardInterrupt, match="closed"):
        env.step(env.idle_action)
    assert not pygame.display.get_init()
    env.step(env.idle_action)
    env.close()
    env.close()


def test_without_pygame_a_window_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = crossing_env(render_mode="human")
    with pytest.raises(gymnasium.error.DependencyNotInstalled, match="pip install pygame"):
        env.reset(seed=1)


def test_stable_baselines_trains_on_it():
    baselines = pytest.importorskip("stable_baselines3")
    from hangtime.sb3 import HangtimeVecEnv

    options = {"max_ticks": 40, "normalize": True}
    env = HangtimeVecEnv(CROSSING, "crossing", 4, **options)
    env.seed(3)
    first = env.reset()
    single = crossing_env(**options)
    assert (first[0] == single.reset(seed=3)[0]).all()
    action = np.array([2, 1, 0, 0, 0])
    for step in range(1, 25):
        seen, rewards, ended, infos = env.step(np.tile(action, (4, 1)))
        expected, reward, terminated, truncated, info = single.step(action)
        assert rewards.dtype == np.float32 and rewards[0] == np.float32(reward)
        assert ended.tolist() == [step % 10 == 0] * 4 and ended[0] == (terminated or truncated)
        assert infos[0]["tick"] == info["tick"]
        if ended[0]:
            assert (infos[0]["terminal_observation"] == expected).all() and infos[0]["TimeLimit.truncated"]
            expected = single.reset()[0]
        assert (seen[0] == expected).all()
    assert env.env_method("world", indices=[1])[0].tick == 16
    with pytest.raises(AttributeError, match="cannot change"):
        env.set_attr("rays", 3)
    assert [image.shape for image in env.get_images()] == [(360, 640, 3)] * 4
    model = baselines.PPO("MlpPolicy", env, n_steps=32, batch_size=32, device="cpu")
    model.learn(256)
    env.close()
