//! Types of the values that scripts use.

use hangtime_core::models::{Action, HookState, ModelName};

/// A set of names that a text must come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// An action that a player can hold down.
    Action,
    /// An action, with the prefix `p2.` for the second player.
    PlayerAction,
    /// `move` or `aim`.
    Axis,
    /// An axis, with the prefix `p2.` for the second player.
    PlayerAxis,
    /// A movement model.
    Model,
    /// A tunable of a model, such as `platformer.jump_speed`.
    Tunable,
    /// A key of `--set`, such as `simulation.tick_hz`.
    Setting,
    /// A kind: a file in `config/entities/`.
    Kind,
    /// An entity of the level.
    Entity,
    /// A solid of the level (`solid 1`, `solid 2`, … if unnamed); empty for none.
    Solid,
    /// A surface: a table in `config/surfaces.toml`; empty for none.
    Surface,
    /// A zone of the level.
    Zone,
    /// An event, without `on_`.
    Event,
    /// A custom event: any name that is not a built-in event's.
    OwnEvent,
    /// A PNG in `pictures/`.
    Picture,
    /// A name in a table `[sounds]`.
    Sound,
    /// A file in `levels/`.
    Level,
    /// An input file next to the test.
    Input,
    /// A mode of a model.
    Mode,
    /// A state of a grappling hook.
    HookState,
    /// A stance: a table in `[stances]` of a kind.
    Stance,
}

impl Names {
    /// All names, if they do not depend on the files of a game.
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
                    list.iter().map(move |t| format!("{name}.{}", t.name))
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

    /// Its phrase in the reference and in messages.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Action => "an action",
            Self::PlayerAction => "a player's action",
            Self::Axis => "an axis",
            Self::PlayerAxis => "a player's axis",
            Self::Model => "a model",
            Self::Tunable => "a tunable",
            Self::Setting => "a setting",
            Self::Kind => "a kind",
            Self::Entity => "an entity name",
            Self::Solid => "a solid name",
            Self::Surface => "a surface",
            Self::Zone => "a zone name",
            Self::Event => "an event name",
            Self::OwnEvent => "a custom event name",
            Self::Picture => "a picture",
            Self::Sound => "a sound",
            Self::Level => "a level",
            Self::Input => "an input file",
            Self::Mode => "a mode",
            Self::HookState => "a hook state",
            Self::Stance => "a stance",
        }
    }
}

/// The type of a parameter, a result, or a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `()`.
    Nothing,
    /// `true` or `false`.
    Flag,
    /// A whole number, for which `5 / 2` is 2. No parameter requires one.
    Whole,
    /// A number. Parameters accept whole and floating-point numbers.
    Number,
    /// Text.
    Text,
    /// Text from a set of names.
    Name(Names),
    /// A vec.
    Vec,
    /// An array of elements of this type.
    Array(&'static Type),
    /// A map with these fields.
    Map(&'static Shape),
    /// Plain data: what variables and events may hold.
    Data,
    /// The entity whose script runs.
    Me,
    /// Another entity, from `world::entity` or `world::all`.
    Entity,
    /// A level that a test plays.
    Test,
    /// An entity of a level that a test plays.
    Live,
    /// A snapshot of a level that a test plays.
    Snapshot,
    /// The result of `expect`.
    Expectation,
    /// A function or closure.
    Function,
    /// Any value.
    Any,
    /// One of several types.
    Either(&'static [Type]),
}

impl Type {
    /// Its phrase, and its name in the JSON reference; empty for what is made of others.
    const fn words(&self) -> (&'static str, &'static str) {
        match self {
            Self::Nothing => ("`()`", "()"),
            Self::Flag => ("true or false", "flag"),
            Self::Whole => ("a whole number", "whole"),
            Self::Number => ("a number", "number"),
            Self::Text => ("text", "text"),
            Self::Vec => ("a vec", "vec"),
            Self::Data => ("plain data", "data"),
            Self::Me => ("`me`", "me"),
            Self::Entity => ("an entity", "entity"),
            Self::Test => ("a level", "test"),
            Self::Live => ("an entity", "live"),
            Self::Snapshot => ("a snapshot", "snapshot"),
            Self::Expectation => ("an expectation", "expectation"),
            Self::Function => ("a function", "function"),
            Self::Any => ("anything", "any"),
            Self::Name(names) => (names.what(), ""),
            Self::Array(_) | Self::Map(_) | Self::Either(_) => ("", ""),
        }
    }

    /// What a text of it names.
    pub fn names(&self) -> Option<Names> {
        match self {
            Self::Name(names) => Some(*names),
            Self::Either(types) => types.iter().find_map(Self::names),
            Self::Array(each) => each.names(),
            _ => None,
        }
    }

    /// The type of a value that is not `()`.
    pub fn present(self) -> Self {
        let Self::Either(types) = self else {
            return self;
        };
        let mut there = types.iter().filter(|each| **each != Self::Nothing);
        match (there.next(), there.next()) {
            (Some(only), None) => *only,
            _ => Self::Any,
        }
    }

    /// The fields of a map whose fields are all known. Events of scripts may have further ones.
    pub fn closed(self) -> Option<&'static Shape> {
        match self {
            Self::Map(shape) if !shape.own.is_empty() || shape.name.starts_with("event of") => Some(shape),
            _ => None,
        }
    }

    /// Its phrase in the reference, with links.
    pub fn describe(&self) -> String {
        match self {
            Self::Array(each) => format!("an array of {}", each.plural(Self::describe)),
            Self::Map(shape) => format!("a [`{0}`](#{0}) map", shape.name),
            Self::Either(types) => either(types.iter().map(Self::describe).collect()),
            other => other.words().0.into(),
        }
    }

    /// Its phrase in messages, without links.
    pub fn spoken(&self) -> String {
        match self {
            Self::Nothing => "()".into(),
            Self::Map(_) => "a map".into(),
            Self::Array(each) => format!("an array of {}", each.plural(Self::spoken)),
            Self::Either(types) => either(types.iter().map(Self::spoken).collect()),
            other => other.describe(),
        }
    }

    /// Several of it, in the words of `phrase`.
    fn plural(&self, phrase: fn(&Self) -> String) -> String {
        match self {
            Self::Any => "values".into(),
            Self::Array(each) => format!("arrays of {}", each.plural(phrase)),
            Self::Either(types) => either(types.iter().map(|each| each.plural(phrase)).collect()),
            one => {
                let one = phrase(one);
                let bare = one.trim_start_matches("an ").trim_start_matches("a ");
                bare.strip_suffix('y').map_or_else(|| format!("{bare}s"), |stem| format!("{stem}ies"))
            }
        }
    }

    /// Its name in the JSON reference.
    pub fn code(&self) -> String {
        match self {
            Self::Name(names) => format!("text:{names:?}").to_lowercase(),
            Self::Array(each) => format!("[{}]", each.code()),
            Self::Map(shape) => format!("map:{}", shape.name),
            Self::Either(types) => types.iter().map(Self::code).collect::<Vec<_>>().join("|"),
            other => other.words().1.into(),
        }
    }
}

/// Alternatives in a sentence: `a or b`, `a, b, or c`.
fn either(phrases: Vec<String>) -> String {
    match phrases.as_slice() {
        [rest @ .., last] if rest.len() > 1 => format!("{}, or {last}", rest.join(", ")),
        _ => phrases.join(" or "),
    }
}

/// A field of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub holds: Type,
    /// Its unit; empty for none.
    pub unit: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// Whether every map of this shape has it.
    pub always: bool,
}

/// A field that every map of a shape has.
pub const fn field(name: &'static str, holds: Type, unit: &'static str, doc: &'static str) -> Field {
    Field { name, holds, unit, doc, always: true }
}

impl Field {
    /// Its type, unit and meaning in one sentence.
    pub fn described(&self) -> String {
        let unit = match self.unit {
            "" => String::new(),
            unit => format!(" ({unit})"),
        };
        let optional = if self.always { "" } else { "; not always there" };
        format!("{}{unit}: {}{optional}", self.holds.spoken(), self.doc)
    }

    /// The same field, present in some maps of the shape only.
    pub const fn sometimes(mut self) -> Self {
        self.always = false;
        self
    }
}

/// The fields of a map that scripts receive or return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its name in the reference.
    pub name: &'static str,
    /// Fields shared with other shapes.
    pub common: &'static [Field],
    /// Its own fields.
    pub own: &'static [Field],
}

impl Shape {
    /// All fields, its own first.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> + Clone {
        self.own.iter().chain(self.common)
    }

    /// The field with this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields().find(|field| field.name == name)
    }
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub takes: Type,
    /// Its unit; empty for none.
    pub unit: &'static str,
}

/// A parameter with its type and unit.
pub const fn param(name: &'static str, takes: Type, unit: &'static str) -> Param {
    Param { name, takes, unit }
}
