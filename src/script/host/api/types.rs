//! What values scripts deal with.

use crate::models::{Action, HookState, ModelName};

/// The names that a text may be one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// What a player can hold down.
    Action,
    /// The same, with `p2.` before it for the second player.
    PlayerAction,
    /// What a player can move: `move` or `aim`.
    Axis,
    /// The same, with `p2.` before it for the second player.
    PlayerAxis,
    /// A movement model.
    Model,
    /// A tunable of a model, as `platformer.jump_speed`.
    Tunable,
    /// What `--set` takes, as `simulation.tick_hz`.
    Setting,
    /// A kind: a file below `config/entities/`.
    Kind,
    /// An entity of the level.
    Entity,
    /// A solid of the level; empty where it has no name.
    Solid,
    /// A surface: a table in `config/surfaces.toml`; empty where there is none.
    Surface,
    /// A zone of the level.
    Zone,
    /// An event, without `on_`.
    Event,
    /// An event of the scripts' own: none of the engine's.
    OwnEvent,
    /// A file below `levels/`.
    Level,
    /// An input file, beside the test.
    Input,
    /// What a model is doing, in its own word.
    Mode,
    /// What a hook is doing.
    HookState,
}

impl Names {
    /// All of them, where they do not depend on a game's files.
    #[must_use]
    pub fn fixed(self) -> Option<Vec<String>> {
        let list = |words: &[&str]| Some(words.iter().map(|w| (*w).to_string()).collect());
        match self {
            Self::Action => list(&Action::ALL.map(Action::name)),
            Self::Axis => list(&["move", "aim"]),
            Self::Model => Some(ModelName::ALL.iter().map(|m| m.as_str().into()).collect()),
            Self::Tunable => {
                let of = |model: &ModelName| {
                    let name = model.as_str();
                    let list = model.tunables();
                    list.into_iter().map(move |t| format!("{name}.{}", t.name))
                };
                Some(ModelName::ALL.iter().flat_map(of).collect())
            }
            Self::Mode => {
                let mut words: Vec<&str> = Vec::new();
                for mode in ModelName::ALL.iter().flat_map(|model| model.modes()) {
                    if !words.contains(&mode.as_str()) {
                        words.push(mode.as_str());
                    }
                }
                list(&words)
            }
            Self::HookState => list(&HookState::ALL.map(HookState::as_str)),
            _ => None,
        }
    }

    /// What such a name is called in the reference.
    #[must_use]
    pub const fn what(self) -> &'static str {
        match self {
            Self::Action => "an action",
            Self::PlayerAction => "an action of a player",
            Self::Axis => "an axis",
            Self::PlayerAxis => "an axis of a player",
            Self::Model => "a model",
            Self::Tunable => "a tunable of a model",
            Self::Setting => "a setting",
            Self::Kind => "a kind",
            Self::Entity => "an entity's name",
            Self::Solid => "a solid's name",
            Self::Surface => "a surface",
            Self::Zone => "a zone's name",
            Self::Event => "an event",
            Self::OwnEvent => "an event of one's own",
            Self::Level => "a level",
            Self::Input => "an input file",
            Self::Mode => "a model's word",
            Self::HookState => "a hook's state",
        }
    }
}

/// What a parameter takes, a function answers or a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `()`.
    Nothing,
    /// `true` or `false`.
    Flag,
    /// A whole number, with which `5 / 2` is 2. No parameter insists on one.
    Whole,
    /// A number; a parameter takes whole ones, too.
    Number,
    /// Text.
    Text,
    /// Text that is one of these names.
    Name(Names),
    /// A vec.
    Vec,
    /// An array of these.
    Array(&'static Type),
    /// A map with these fields.
    Map(&'static Shape),
    /// Plain data: what variables and events may hold.
    Data,
    /// The entity whose script runs.
    Me,
    /// Another entity, as `world` shows it.
    Entity,
    /// A level that a test plays.
    Test,
    /// An entity of a level that a test plays.
    Live,
    /// A moment of a level that a test plays.
    Snapshot,
    /// What `expect` answers.
    Expectation,
    /// A function or closure.
    Function,
    /// Whatever there is.
    Any,
    /// One of these.
    Either(&'static [Type]),
}

impl Type {
    /// What it is called in the reference.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Nothing => "()".into(),
            Self::Flag => "true or false".into(),
            Self::Whole => "a whole number".into(),
            Self::Number => "a number".into(),
            Self::Text => "text".into(),
            Self::Name(names) => names.what().into(),
            Self::Vec => "a vec".into(),
            Self::Array(each) => format!("an array, each {}", each.describe()),
            Self::Map(shape) => format!("a map, [{}](#{})", shape.name, shape.name),
            Self::Data => "plain data".into(),
            Self::Me => "`me`".into(),
            Self::Entity => "an entity".into(),
            Self::Test => "a level being played".into(),
            Self::Live => "an entity of a level being played".into(),
            Self::Snapshot => "a moment of a level being played".into(),
            Self::Expectation => "an expectation".into(),
            Self::Function => "a function".into(),
            Self::Any => "anything".into(),
            Self::Either(types) => {
                let each: Vec<String> = types.iter().map(Self::describe).collect();
                each.join(" or ")
            }
        }
    }

    /// What it is called in messages, where nothing can be linked.
    #[must_use]
    pub fn spoken(&self) -> String {
        match self {
            Self::Map(_) => "a map".into(),
            Self::Array(each) => format!("an array, each {}", each.spoken()),
            Self::Either(types) => {
                let each: Vec<String> = types.iter().map(Self::spoken).collect();
                each.join(" or ")
            }
            other => other.describe(),
        }
    }

    /// What it is called in the reference for programs.
    #[must_use]
    pub fn code(&self) -> String {
        match self {
            Self::Nothing => "()".into(),
            Self::Flag => "flag".into(),
            Self::Whole => "whole".into(),
            Self::Number => "number".into(),
            Self::Text => "text".into(),
            Self::Name(names) => format!("text:{names:?}").to_lowercase(),
            Self::Vec => "vec".into(),
            Self::Array(each) => format!("[{}]", each.code()),
            Self::Map(shape) => format!("map:{}", shape.name),
            Self::Data => "data".into(),
            Self::Me => "me".into(),
            Self::Entity => "entity".into(),
            Self::Test => "test".into(),
            Self::Live => "live".into(),
            Self::Snapshot => "snapshot".into(),
            Self::Expectation => "expectation".into(),
            Self::Function => "function".into(),
            Self::Any => "any".into(),
            Self::Either(types) => {
                let each: Vec<String> = types.iter().map(Self::code).collect();
                each.join("|")
            }
        }
    }
}

/// A field of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub holds: Type,
    /// Its unit; empty for what has none.
    pub unit: &'static str,
    /// What it says.
    pub doc: &'static str,
    /// Whether every such map has it.
    pub always: bool,
}

/// A field that every such map has.
#[must_use]
pub const fn field(
    name: &'static str,
    holds: Type,
    unit: &'static str,
    doc: &'static str,
) -> Field {
    Field {
        name,
        holds,
        unit,
        doc,
        always: true,
    }
}

impl Field {
    /// The same, where only some of these maps have it.
    #[must_use]
    pub const fn sometimes(mut self) -> Self {
        self.always = false;
        self
    }
}

/// The fields of a map that scripts are given, or give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What it is called.
    pub name: &'static str,
    /// Fields that it shares with others.
    pub common: &'static [Field],
    /// Fields of its own.
    pub own: &'static [Field],
}

impl Shape {
    /// All fields, its own first.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> + Clone {
        self.own.iter().chain(self.common)
    }

    /// The field with this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields().find(|field| field.name == name)
    }
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub takes: Type,
    /// Its unit; empty for what has none.
    pub unit: &'static str,
}

/// A parameter.
#[must_use]
pub const fn param(name: &'static str, takes: Type, unit: &'static str) -> Param {
    Param { name, takes, unit }
}
