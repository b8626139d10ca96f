from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

_Setting: TypeAlias = bool | int | float | str

#: The columns that every entity has. Variables of scripts are `vars.NAME`.
Column: TypeAlias = Literal[
    "id",
    "pos.x",
    "pos.y",
    "pos.z",
    "vel.x",
    "vel.y",
    "vel.z",
    "external.x",
    "external.y",
    "external.z",
    "angle",
    "spin",
    "grounded",
    "facing",
    "mode",
    "hook.state",
    "hook.tip.x",
    "hook.tip.y",
    "hook.length",
    "half.x",
    "half.y",
    "age",
]

class PlayerInput(TypedDict, total=False):
    """What a player holds: names of actions, the stick (-1 to 1; `move` in input files), and the point aimed at (px)."""

    held: Sequence[str]
    pressed: Sequence[str]
    stick: tuple[float, float]
    aim: tuple[float, float]

Inputs: TypeAlias = str | Sequence[str] | PlayerInput | Sequence[PlayerInput]

class GameError(Exception):
    """What is wrong with a game: its files, with file, line and column, a snapshot, or a world that has failed."""

class Game:
    """A game folder, with `config/`, `scripts/` and `levels/`."""

    def __init__(
        self,
        folder: str | PathLike[str] = ".",
        mods: Sequence[str | PathLike[str]] = ...,
    ) -> None: ...
    @property
    def folder(self) -> Any:
        """The path of the game folder."""
    @property
    def levels(self) -> list[str]:
        """The names of the levels in `levels/`, sorted; subfolders are left out."""
    @property
    def own_actions(self) -> list[str]:
        """The names of the actions that the game defines in `[keys]`, in alphabetical order."""
    def world(
        self, level: str, seed: int = 0, settings: Mapping[str, _Setting] | None = None
    ) -> World:
        """Starts a level at tick 0.

        `settings` override the game's files, as in `{"platformer.jump_speed": 600}`. Raises `GameError` with every
        mistake in the files: file, line, column and a caret.
        """
    def export_page(self, folder: str | PathLike[str], level: str) -> None:
        """Writes a folder that any web server can serve: a page that plays this game in a browser, beginning with a level, and
        edits it. The folder is new, empty, or has a page. Raises `GameError` if the package was built without the page.
        """

class World:
    """A running level. Other threads may use it, too: one call after another."""

    def step(self, ticks: int = 1, inputs: Inputs | None = None) -> None:
        """Makes ticks. The GIL is released.

        `inputs` replaces what is left of earlier inputs: the text of an input file, whose lines play on in later steps,
        or what is held during this step: a list of actions, a map with any of `held`, `pressed`, `stick` and `aim`, or a
        list of such maps, one for each player.
        """
    @property
    def tick(self) -> int:
        """The ticks made."""
    @property
    def hz(self) -> int:
        """Ticks a second."""
    @property
    def time(self) -> float:
        """Seconds since the level began."""
    @property
    def seed(self) -> int:
        """The seed of all randomness."""
    @property
    def level(self) -> str:
        """The path of the level below the game folder."""
    @property
    def hash(self) -> str:
        """The hash of the state, as traces show it: 16 hexadecimal digits."""
    @property
    def queued(self) -> int:
        """How many ticks from now on have queued inputs."""
    @property
    def entities(self) -> list[str]:
        """The names of the entities, in the order of their ids."""
    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of the last step, with the keys that they have in traces; the first 100,000."""
    def line(self) -> dict[str, Any]:
        """The state as a line of a trace has it."""
    def observe(
        self, columns: Sequence[Column | str], entities: Sequence[str] | None = None
    ) -> NDArray[np.float64]:
        """Reads columns of entities into an array: one row for each column, one number for each entity.

        The same columns of the same entities are read into the same array again, so nothing is copied; copy it to keep
        it. Without `entities`, all are read, and the array is another one when they are others. `columns()` lists the
        columns with their units; variables of scripts are `vars.NAME`. With `entities`, each row has one number for each
        name, in this order. Entities that are gone are NaN, and variables that an entity lacks, too. Names that no entity
        has had raise `KeyError`, variables that no script has `ValueError`.
        """
    @staticmethod
    def columns() -> list[tuple[str, str, str]]:
        """The columns that every entity has: name, unit and meaning."""
    def snapshot(self) -> bytes:
        """Saves the world, with its settings and the inputs that it has yet to play."""
    def restore(self, snapshot: bytes) -> None:
        """Continues with a snapshot of a world of the same level. If it raises `GameError`, the world is as it was."""
    def fork(self) -> World:
        """The same world again: from here on, both go their own ways."""
    def reload(self) -> list[str]:
        """Reads the files again and continues under what they say now, with all state. Returns the changed files.

        With mistakes in the files, raises `GameError` and continues under the files as they were.
        """
    def set(self, settings: Mapping[str, _Setting]) -> list[str]:
        """Changes settings in the running world. Returns warnings."""
    def judge(self, entity: str) -> tuple[float | None, bool | None]:
        """What the rules `reward` and `done` of an entity's script say; `None` if there is no such rule."""
    def cast(
        self, start: tuple[float, float], end: tuple[float, float]
    ) -> tuple[float, float] | None:
        """Where the straight line from one point to another meets terrain, px; `None` if it does not."""
    def place(
        self,
        entity: str,
        at: Sequence[float],
        velocity: Sequence[float] | None = None,
    ) -> bool:
        """Teleports an entity, out of solids, px. Returns whether there was room in the level.

        `velocity`, px/s, sets its velocity; without it, that stays. In a top view, each takes a third number: the height
        of the feet, and the vertical velocity.
        """
    def emit(self, event: str, data: Any = None) -> None:
        """Emits an event. In the next tick, `fn on_EVENT` runs in every script that defines it.

        Hooks read `data` as `event.data`: numbers, text, flags, None, and lists and maps of these, at most 64 values and
        4 KiB of text. The event's `entity` is `level`.
        """
    def faults(self) -> list[str]:
        """Takes what scripts have complained about since the last call."""
    def printed(self) -> list[str]:
        """Takes the lines that scripts of this world have printed since the last call, the first 1,000."""
    @property
    def warnings(self) -> list[str]:
        """Mistakes in the files that do not keep the level from running, each with its place."""

def languages() -> list[str]:
    """The languages that scripts can be written in: `Rhai`, and `Lua` if the package was built with its feature `lua`."""

def main() -> int:
    """Runs the program `hangtime` with the arguments of this process, and returns its exit code."""

def step_together(
    worlds: Sequence[World],
    ticks: int = 1,
    inputs: Sequence[Inputs | None] | None = None,
) -> None:
    """Makes the same number of ticks in several worlds at once, on all cores, with the GIL released."""

class Batch:
    """Worlds of one level that are stepped together. The environments are made of it; use those."""

    def __init__(
        self,
        game: Game,
        settings: Mapping[str, _Setting] | None,
        choice: dict[str, Any],
    ) -> None: ...
    @property
    def count(self) -> int: ...
    @property
    def entities(self) -> list[str]: ...
    @property
    def hz(self) -> int: ...
    @property
    def entity_count(self) -> int: ...
    @property
    def warnings(self) -> list[str]: ...
    def observation_names(self) -> list[list[tuple[str, str, float, float]]]: ...
    def action_names(self) -> list[list[tuple[str, int]]]: ...
    def judges(self) -> list[tuple[str | None, bool]]: ...
    def reset(
        self,
        seeds: Sequence[int | None],
        which: Sequence[bool] | None,
        observations: NDArray[np.float32],
        ticks: NDArray[np.int64],
    ) -> None: ...
    def step(
        self,
        actions: NDArray[np.int64] | NDArray[np.float32],
        observations: NDArray[np.float32],
        rewards: NDArray[np.float64],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        ticks: NDArray[np.int64],
    ) -> list[tuple[int, str]]: ...
    def step_one(
        self, action: Any
    ) -> tuple[NDArray[np.float32], float, bool, bool, int, list[str]] | None: ...
    def observe(self, observations: NDArray[np.float32]) -> None: ...
    def reload(self) -> list[str]: ...
    def world(self, place: int) -> World: ...
    def hashes(self) -> list[str]: ...
    def picture(self, place: int) -> NDArray[np.uint8]: ...
    def record(self, place: int) -> str: ...
