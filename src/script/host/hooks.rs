//! The functions of a script that the game calls, with what they are told and what they answer.

use super::api::{Names, Shape, Type};
use super::shapes::*;

/// Whether a hook is asked or told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookKind {
    /// Asked for an answer; what is not answered is decided by tuning.
    Rule,
    /// Asked about something, which is its second parameter, with this name.
    RuleAbout(&'static str),
    /// Told that something happened. It may take a second parameter, the event with its fields.
    Event,
}

/// A function of a script that the game calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptHook {
    /// Its name.
    pub name: &'static str,
    /// Asked or told.
    pub kind: HookKind,
    /// What its second parameter holds, if it has one.
    pub about: Option<&'static Shape>,
    /// What it answers; what an event hook answers is not looked at.
    pub answers: Type,
    /// When it is called and what the answer means.
    pub doc: &'static str,
    /// Such a function.
    pub example: &'static str,
}

impl ScriptHook {
    /// How it is written.
    #[must_use]
    pub fn signature(&self) -> String {
        match self.kind {
            HookKind::Rule => format!("{}(me)", self.name),
            HookKind::RuleAbout(what) => format!("{}(me, {what})", self.name),
            HookKind::Event => format!("{0}(me)` or `{0}(me, event)", self.name),
        }
    }

    /// What is said of a rule in the script of a level.
    #[must_use]
    pub fn not_of_levels(&self) -> String {
        format!(
            "`{}` is a rule of entities: a level's own script is not asked",
            self.name
        )
    }

    /// Whether it can be written with this many parameters.
    #[must_use]
    pub fn takes(&self, parameters: usize) -> bool {
        match self.kind {
            HookKind::Rule => parameters == 1,
            HookKind::RuleAbout(_) => parameters == 2,
            HookKind::Event => parameters == 1 || parameters == 2,
        }
    }

    /// The event that an event hook is told, without `on_`.
    #[must_use]
    pub fn event(&self) -> Option<&'static str> {
        self.name
            .strip_prefix("on_")
            .filter(|_| self.kind == HookKind::Event)
    }
}

const fn event(
    name: &'static str,
    about: &'static Shape,
    doc: &'static str,
    example: &'static str,
) -> ScriptHook {
    ScriptHook {
        name,
        kind: HookKind::Event,
        about: Some(about),
        answers: Type::Any,
        doc,
        example,
    }
}

/// The rules. `model` and `jump_windows` are asked at birth, after a reload, and in any tick whose
/// surface, zones, grounded or variables changed; the answer holds until they are asked again. The others
/// are asked whenever what they are about comes up.
pub const RULES: &[ScriptHook] = &[
    ScriptHook {
        name: "model",
        kind: HookKind::Rule,
        about: None,
        answers: Type::Either(&[Type::Name(Names::Model), Type::Nothing]),
        doc: "Which model moves the entity: a name, or `()` for the kind's own.",
        example: r#"fn model(me) { if me.surface == "ice" { "two_velocity" } else { "platformer" } }"#,
    },
    ScriptHook {
        name: "jump_windows",
        kind: HookKind::Rule,
        about: None,
        answers: Type::Either(&[Type::Map(&WINDOWS), Type::Nothing]),
        doc: "The times of a jump: a map with any of `coyote_time`, `jump_buffer` and \
              `jump_hold_time`, in seconds, or `()` for those that are tuned.",
        example: "fn jump_windows(me) { #{ coyote_time: 0.15 } }",
    },
    ScriptHook {
        name: "grapple_snaps",
        kind: HookKind::RuleAbout("rope"),
        about: Some(&ROPE),
        answers: Type::Either(&[Type::Flag, Type::Nothing]),
        doc: "Whether the rope of an attached hook snaps: true or false, or `()` for what tuning \
              says. Asked each tick, after the forces and before the rope acts.",
        example: "fn grapple_snaps(me, rope) { rope.pull_away > 1000 }",
    },
    ScriptHook {
        name: "can_grab",
        kind: HookKind::RuleAbout("hit"),
        about: Some(&WALL),
        answers: Type::Either(&[Type::Flag, Type::Nothing]),
        doc: "Whether a wall or roof is grabbed: true or false, or `()` for yes. Asked when a body \
              in the air has run into something to grab.",
        example: r#"fn can_grab(me, hit) { hit.surface != "ice" }"#,
    },
];

/// The events. What happened in one step is told in the next, before `on_tick`.
pub const EVENTS: &[ScriptHook] = &[
    event(
        "on_birth",
        &Shape {
            name: "event of on_birth",
            common: EVENT,
            own: &[],
        },
        "The entity has come into the world.",
        "fn on_birth(me) { this.coins = 0; }",
    ),
    event(
        "on_tick",
        &Shape {
            name: "event of on_tick",
            common: EVENT,
            own: &[],
        },
        "Every tick, after all other events.",
        r#"fn on_tick(me) { me.hold("right"); }"#,
    ),
    event(
        "on_land",
        &Shape {
            name: "event of on_land",
            common: EVENT,
            own: LAND,
        },
        "It has come to stand.",
        "fn on_land(me, event) { if event.speed > 900 { me.vel = vec(0, 0); } }",
    ),
    event(
        "on_leave_ground",
        &Shape {
            name: "event of on_leave_ground",
            common: EVENT,
            own: LEAVE_GROUND,
        },
        "It stands no more.",
        "fn on_leave_ground(me, event) { if !event.jumped { this.left = me.age; } }",
    ),
    event(
        "on_jump",
        &Shape {
            name: "event of on_jump",
            common: EVENT,
            own: &[],
        },
        "A jump has started.",
        "fn on_jump(me) { this.jumps = (this.jumps ?? 0) + 1; }",
    ),
    event(
        "on_surface",
        &Shape {
            name: "event of on_surface",
            common: EVENT,
            own: SURFACE,
        },
        "It stands on another surface than it stood on last; not told for the one it is born on.",
        r#"fn on_surface(me, event) { this.slips = event.surface == "ice"; }"#,
    ),
    event(
        "on_model",
        &Shape {
            name: "event of on_model",
            common: EVENT,
            own: MODEL,
        },
        "Another model moves it.",
        "fn on_model(me, event) { print(`${event.was} to ${event.model}`); }",
    ),
    event(
        "on_model_refused",
        &Shape {
            name: "event of on_model_refused",
            common: EVENT,
            own: MODEL_REFUSED,
        },
        "A change of model could not be made.",
        "fn on_model_refused(me, event) { print(event.reason); }",
    ),
    event(
        "on_grab",
        &Shape {
            name: "event of on_grab",
            common: EVENT,
            own: GRAB,
        },
        "It clings to a wall or roof.",
        "fn on_grab(me, event) { this.wall = event.normal; }",
    ),
    event(
        "on_drop",
        &Shape {
            name: "event of on_drop",
            common: EVENT,
            own: DROP,
        },
        "It has let go of a wall or roof.",
        "fn on_drop(me, event) { if event.jumped { me.push(0, 60); } }",
    ),
    event(
        "on_hook",
        &Shape {
            name: "event of on_hook",
            common: EVENT,
            own: HOOK,
        },
        "Its hook has attached.",
        "fn on_hook(me, event) { this.anchor = event.at; }",
    ),
    event(
        "on_unhook",
        &Shape {
            name: "event of on_unhook",
            common: EVENT,
            own: UNHOOK,
        },
        "Its hook holds on no more.",
        "fn on_unhook(me, event) { if event.snapped { this.ropes = 0; } }",
    ),
    event(
        "on_hit",
        &Shape {
            name: "event of on_hit",
            common: EVENT,
            own: HIT,
        },
        "A vessel or a body in flight has run into something.",
        "fn on_hit(me, event) { if event.speed > 300 && !event.foot { this.broken = true; } }",
    ),
    event(
        "on_touch",
        &Shape {
            name: "event of on_touch",
            common: EVENT,
            own: TOUCH,
        },
        "It has come to touch another entity.",
        r#"fn on_touch(me, event) { if event.kind == "guard" { me.jump(); } }"#,
    ),
    event(
        "on_enter",
        &Shape {
            name: "event of on_enter",
            common: EVENT,
            own: ZONE,
        },
        "Its center has come into a zone.",
        r#"fn on_enter(me, event) { this.swims = event.zone == "water"; }"#,
    ),
    event(
        "on_leave",
        &Shape {
            name: "event of on_leave",
            common: EVENT,
            own: ZONE,
        },
        "Its center has left a zone.",
        r#"fn on_leave(me, event) { if event.zone == "water" { this.swims = false; } }"#,
    ),
    event(
        "on_crush",
        &Shape {
            name: "event of on_crush",
            common: EVENT,
            own: &[],
        },
        "Moving platforms leave it no room; told once, until there is room again.",
        "fn on_crush(me) { me.place(0, 100); }",
    ),
    event(
        "on_fall_out",
        &Shape {
            name: "event of on_fall_out",
            common: EVENT,
            own: &[],
        },
        "It has left the level's bounds. Unless this places it elsewhere it returns to its start.",
        "fn on_fall_out(me) { me.place(0, 100); }",
    ),
    event(
        "on_death",
        &Shape {
            name: "event of on_death",
            common: EVENT,
            own: &[],
        },
        "It is taken out of the world: the last that is told, at once, when its script's `me.remove()` takes effect.",
        "fn on_death(me) { print(`${me.name} is gone`); }",
    ),
    event(
        "on_quarantine",
        &Shape {
            name: "event of on_quarantine",
            common: EVENT,
            own: &[],
        },
        "A script has failed in 10 turns in a row and is not called any more until its files change. \
         Only the level's own script can be told.",
        "fn on_quarantine(me, event) { print(`${event.entity} fails`); }",
    ),
    event(
        "on_note",
        &Shape {
            name: "event of on_note",
            common: EVENT,
            own: NOTE,
        },
        "Its script has written a note by `me.note`.",
        "fn on_note(me, event) { print(event.text); }",
    ),
    event(
        "on_reload",
        &Shape {
            name: "event of on_reload",
            common: EVENT,
            own: &[],
        },
        "A new revision of the files runs; its state has been kept.",
        r#"fn on_reload(me) { print("reloaded"); }"#,
    ),
];

/// All hooks, rules first.
pub fn hooks() -> impl Iterator<Item = &'static ScriptHook> {
    RULES.iter().chain(EVENTS)
}

/// The hook with this name.
#[must_use]
pub fn find_hook(name: &str) -> Option<&'static ScriptHook> {
    hooks().find(|hook| hook.name == name)
}
