"""The options of all environments, each declared once: a field with its type, its default and its docstring."""

import ast
import inspect
import sys
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from functools import cache
from os import PathLike
from typing import Any, NoReturn, TypeVar

from ._hangtime import Game


@dataclass(eq=False, repr=False)
class EpisodeOptions:
    """The options that all environments have.

    `dataclass` makes the constructor of an environment from the fields of its classes. So editors, `inspect.signature`
    and type checkers know every option, and Python names those that do not exist. An environment reads its options when
    it is made; to change one of these, make another environment.
    """

    game: Game | str | PathLike[str]
    """A `Game`, or the path of its folder."""
    level: str
    """The name of the level."""
    _: KW_ONLY
    settings: Mapping[str, Any] | None = None
    """Settings that override the game's files, as in `{"platformer.jump_speed": 600}`."""
    rays: int = 16
    """The number of rays cast around the body, evenly spaced: the first toward +x, then counterclockwise. Each is the
    distance to terrain, px."""
    ray_length: float = 400.0
    """How far the rays reach, px."""
    variables: Sequence[str] = ()
    """Variables of the entity's script to observe: numbers and flags, without `vars.`, as in `["coins"]`."""
    entities: Sequence[str] | None = None
    """The names of the entities to observe: position and velocity relative to the body, and whether they exist. By
    default, all entities that the level begins with."""
    frame_skip: int = 4
    """The ticks of a step. The same actions are held in all of them."""
    max_ticks: int | None = 3600
    """The ticks after which an episode is truncated; `None` for never."""
    actions: str | Sequence[str] = "discrete"
    """`"discrete"` for a `MultiDiscrete` space, `"continuous"` for a `Box` of numbers from -1 to 1, or a list of the
    parts of a discrete action to use, such as `["sideways", "jump"]`. `action_names` has the parts."""
    differences: bool = False
    """Whether the reward is how much the number that the script's `reward` returns has grown since the last step, as
    for `fn reward(me) { this.coins }`."""
    threads: int | None = None
    """The number of threads. By default, all environments share one thread for each processor."""
    records: bool = False
    """Whether to record what is held, for `input_file`."""
    normalize: bool = False
    """Whether observations are scaled to about -1 to 1: the body's position over the terrain, other lengths and speeds by
    `ray_length`, spin by a turn a second. Variables stay as they are."""
    hashes: bool = False
    """Whether `info["hash"]` has the hash of the world's state, as `hangtime run` prints it."""

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuses changes of options after the start: nothing would come of them."""
        if "_episodes" in self.__dict__ and name in (field.name for field in fields(self)):
            raise AttributeError(
                f"{name} cannot change after the start: make another {type(self).__name__} with {name}={value!r}"
            )
        super().__setattr__(name, value)

    def __reduce__(self) -> NoReturn:
        """Refuses to be pickled or copied, which also `copy.deepcopy` does through here."""
        name = type(self).__name__
        raise TypeError(
            f"a {name} cannot be pickled or copied: make another one with the same options. For a copy of the state in "
            "this process, use `fork()` of its world; for another process, send `world.snapshot()`"
        )


Environment = TypeVar("Environment", bound=EpisodeOptions)


def documented(environment: type[Environment]) -> type[Environment]:
    """Lists the options in the docstring of an environment, so that `help` has them.

    Python does not keep the docstrings of fields; they are read from the source, if it is there.
    """
    if environment.__doc__ is not None:
        docs: dict[str, str] = {}
        for base in environment.__mro__:
            if issubclass(base, EpisodeOptions):
                docs |= _field_docs(base)
        options = [f"    {field.name}: {docs[field.name]}" for field in fields(environment) if field.name in docs]
        if options:
            environment.__doc__ = "\n".join([inspect.cleandoc(environment.__doc__), "", "Args:", *options])
    return environment


@cache
def _parsed(module: str) -> ast.Module:
    """The source of a module, or nothing where a package comes without its source."""
    try:
        return ast.parse(inspect.getsource(sys.modules[module]))
    except OSError:
        return ast.Module([], [])


def _field_docs(owner: type) -> dict[str, str]:
    """The docstrings of the fields that a class declares itself: the texts that follow them."""
    docs: dict[str, str] = {}
    for node in _parsed(owner.__module__).body:
        if isinstance(node, ast.ClassDef) and node.name == owner.__name__:
            for field, text in zip(node.body, node.body[1:]):
                match field, text:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(doc))),
                    ):
                        docs[name] = inspect.cleandoc(doc).replace("\n", "\n        ")
    return docs
