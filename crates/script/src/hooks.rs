//! The functions of a script that the game calls: when, with which fields, and what they return.

use super::api::{Names, Shape, Type};
use super::shapes::*;

/// Whether a hook decides something or reacts to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookKind {
    /// Returns a decision. Without it, or if it returns `()`, tuning decides.
    Rule,
    /// A rule whose second parameter, of this name, describes the situation.
    RuleAbout(&'static str),
    /// Called when something has happened. Its optional second parameter is the event with its fields.
    Event,
}

/// A function of a script that the game calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptHook {
    /// The function's name.
    pub name: &'static str,
    /// Rule or event.
    pub kind: HookKind,
    /// The fields of its second parameter, if it takes one.
    pub about: Option<&'static Shape>,
    /// What a rule returns; the value that an event hook returns is ignored.
    pub answers: Type,
    /// When it is called and what a rule's answer means, for the reference.
    pub doc: &'static str,
    /// A working example.
    pub example: &'static str,
}

impl ScriptHook {
    /// How it is written in a script, to be put between backquotes: an event hook can be written in two ways.
    pub fn signature(&self) -> String {
        match self.kind {
            HookKind::Rule => format!("{}(me)", self.name),
            HookKind::RuleAbout(what) => format!("{}(me, {what})", self.name),
            HookKind::Event => format!("{0}(me)` or `{0}(me, event)", self.name),
        }
    }

    /// The message for a rule in a level's own script.
    pub fn not_of_levels(&self) -> String {
        format!("`{}` is a rule for entities; it is never called in a level's own script", self.name)
    }

    /// Whether it can have this many parameters.
    pub fn takes(&self, parameters: usize) -> bool {
        match self.kind {
            HookKind::Rule => parameters == 1,
            HookKind::RuleAbout(_) => parameters == 2,
            HookKind::Event => parameters == 1 || parameters == 2,
        }
    }

    /// The event of an event hook: its name without `on_`. None for rules.
    pub fn event(&self) -> Option<&'static str> {
        self.name.strip_prefix("on_").filter(|_| self.kind == HookKind::Event)
    }
}

const fn event(name: &'static str, about: &'static Shape, doc: &'static str, example: &'static str) -> ScriptHook {
    ScriptHook { name, kind: HookKind::Event, about: Some(about), answers: Type::Any, doc, example }
}

/// The rules. `model` and `jump_windows` are called when the entity spawns, after a reload, and in every tick in which the entity's
/// surface, zones, `grounded` or variables have changed; their answers hold until the next call. `reward` and `done` are
/// asked between ticks, by programs that drive the game. The others are called whenever their question comes up.
pub const RULES: &[ScriptHook] = &[
    ScriptHook {
        name: "model",
        kind: HookKind::Rule,
        about: None,
        answers: Type::Either(&[Type::Name(Names::Model), Type::Nothing]),
        doc: "Decides which model moves the entity. Returns a model's name, or `()` for the model of its kind. \
              `on_model_refused` reports a model that cannot take over.",
        example: r#"fn model(me) { if me.surface == "ice" { "two_velocity" } else { "platformer" } }"#,
    },
    ScriptHook {
        name: "jump_windows",
        kind: HookKind::Rule,
        about: None,
        answers: Type::Either(&[Type::Map(&WINDOWS), Type::Nothing]),
        doc: "Sets the entity's jump windows. Returns a map with any of `coyote_time`, `jump_buffer` and \
              `jump_hold_time`, in seconds. Keys you leave out keep their tuned values; `()` keeps all three.",
        example: "fn jump_windows(me) { #{ coyote_time: 0.15 } }",
    },
    ScriptHook {
        name: "grapple_snaps",
        kind: HookKind::RuleAbout("rope"),
        about: Some(&ROPE),
        answers: Type::Either(&[Type::Flag, Type::Nothing]),
        doc: "Decides whether the rope of an attached hook snaps. Returns true or false, or `()` to let \
              tuning decide. Called every tick while hooked, after the forces and before the rope acts.",
        example: "fn grapple_snaps(me, rope) { rope.pull_away > 1000 }",
    },
    ScriptHook {
        name: "can_grab",
        kind: HookKind::RuleAbout("hit"),
        about: Some(&WALL),
        answers: Type::Either(&[Type::Flag, Type::Nothing]),
        doc: "Decides whether the entity grabs a wall or roof. Returns true or false; `()` means true. \
              Called when it hits one in the air and could grab it.",
        example: r#"fn can_grab(me, hit) { hit.surface != "ice" }"#,
    },
    ScriptHook {
        name: "reward",
        kind: HookKind::Rule,
        about: None,
        answers: Type::Either(&[Type::Number, Type::Nothing]),
        doc: "Tells a learning agent how well the entity did since its last step. Returns a number, or `()` for 0. \
              Called only by programs that drive the game, after each of their steps; never while people play. What \
              it changes is dropped.",
        example: "fn reward(me) { me.vel.x / 100 }",
    },
    ScriptHook {
        name: "done",
        kind: HookKind::Rule,
        about: None,
        answers: Type::Either(&[Type::Flag, Type::Nothing]),
        doc: "Tells a learning agent that its run has ended. Returns true or false; `()` means false. Called when \
              `reward` is. What it changes is dropped.",
        example: r#"fn done(me) { "exit" in me.zones }"#,
    },
];

/// The events. An event hook is called in the tick after the event, before `on_tick`.
pub const EVENTS: &[ScriptHook] = &[
    event(
        "on_birth",
        &Shape { name: "event of on_birth", common: EVENT, own: &[] },
        "Called in the entity's first tick.",
        "fn on_birth(me) { this.coins = 0; }",
    ),
    event(
        "on_tick",
        &Shape { name: "event of on_tick", common: EVENT, own: &[] },
        "Called every tick, after all other events.",
        r#"fn on_tick(me) { me.hold("right"); }"#,
    ),
    event(
        "on_land",
        &Shape { name: "event of on_land", common: EVENT, own: LAND },
        "Called when the entity lands on ground.",
        "fn on_land(me, event) { if event.speed > 900 { me.vel = vec(0, 0); } }",
    ),
    event(
        "on_leave_ground",
        &Shape { name: "event of on_leave_ground", common: EVENT, own: LEAVE_GROUND },
        "Called when the entity leaves the ground: it jumps, walks off an edge or is carried away.",
        "fn on_leave_ground(me, event) { if !event.jumped { this.left = me.age; } }",
    ),
    event(
        "on_jump",
        &Shape { name: "event of on_jump", common: EVENT, own: &[] },
        "Called when a jump of the entity starts.",
        "fn on_jump(me) { this.jumps = (this.jumps ?? 0) + 1; }",
    ),
    event(
        "on_surface",
        &Shape { name: "event of on_surface", common: EVENT, own: SURFACE },
        "Called when the entity stands on a different surface than the last one. The surface it spawns on does not count.",
        r#"fn on_surface(me, event) { this.slips = event.surface == "ice"; }"#,
    ),
    event(
        "on_model",
        &Shape { name: "event of on_model", common: EVENT, own: MODEL },
        "Called when another model takes over the entity's motion.",
        "fn on_model(me, event) { print(`${event.was} to ${event.model}`); }",
    ),
    event(
        "on_model_refused",
        &Shape { name: "event of on_model_refused", common: EVENT, own: MODEL_REFUSED },
        "Called once when a change of model is refused: the model does not work in the level's view, or its body has \
         no room. The change is tried again in every tick until it succeeds or the script wants another model.",
        "fn on_model_refused(me, event) { print(event.reason); }",
    ),
    event(
        "on_grab",
        &Shape { name: "event of on_grab", common: EVENT, own: GRAB },
        "Called when the entity grabs a wall or roof.",
        "fn on_grab(me, event) { this.wall = event.normal; }",
    ),
    event(
        "on_drop",
        &Shape { name: "event of on_drop", common: EVENT, own: DROP },
        "Called when the entity lets go of a wall or roof.",
        "fn on_drop(me, event) { if event.jumped { me.push(0, 60); } }",
    ),
    event(
        "on_hook",
        &Shape { name: "event of on_hook", common: EVENT, own: HOOK },
        "Called when the entity's hook attaches to a solid.",
        "fn on_hook(me, event) { this.anchor = event.at; }",
    ),
    event(
        "on_unhook",
        &Shape { name: "event of on_unhook", common: EVENT, own: UNHOOK },
        "Called when the entity's attached hook comes off: it is released, or the rope snaps.",
        "fn on_unhook(me, event) { if event.snapped { this.ropes = 0; } }",
    ),
    event(
        "on_hit",
        &Shape { name: "event of on_hit", common: EVENT, own: HIT },
        "Called when a vessel or a ballistic body in flight hits something.",
        "fn on_hit(me, event) { if event.speed > 300 && !event.foot { this.broken = true; } }",
    ),
    event(
        "on_touch",
        &Shape { name: "event of on_touch", common: EVENT, own: TOUCH },
        "Called when the entity starts to touch another entity.",
        r#"fn on_touch(me, event) { if event.kind == "guard" { me.jump(); } }"#,
    ),
    event(
        "on_enter",
        &Shape { name: "event of on_enter", common: EVENT, own: ZONE },
        "Called when the entity's center enters a zone.",
        r#"fn on_enter(me, event) { this.swims = event.zone == "water"; }"#,
    ),
    event(
        "on_leave",
        &Shape { name: "event of on_leave", common: EVENT, own: ZONE },
        "Called when the entity's center leaves a zone.",
        r#"fn on_leave(me, event) { if event.zone == "water" { this.swims = false; } }"#,
    ),
    event(
        "on_crush",
        &Shape { name: "event of on_crush", common: EVENT, own: &[] },
        "Called when moving platforms or solids that were switched on leave the entity no room; not \
         called again until it has had room.",
        "fn on_crush(me) { me.place(0, 100); }",
    ),
    event(
        "on_fall_out",
        &Shape { name: "event of on_fall_out", common: EVENT, own: &[] },
        "Called when the entity leaves the level's bounds. It returns to its start unless this hook places it elsewhere.",
        "fn on_fall_out(me) { me.place(0, 100); }",
    ),
    event(
        "on_arrive",
        &Shape { name: "event of on_arrive", common: EVENT, own: PLATFORM },
        "Called in every script that has it when a platform reaches the point to which `world::send` has sent it.",
        r#"fn on_arrive(me, event) { if event.solid == "lift" { world::set_solid("door", false); } }"#,
    ),
    event(
        "on_depart",
        &Shape { name: "event of on_depart", common: EVENT, own: PLATFORM },
        "Called in every script that has it when a platform that rested leaves for the point to which `world::send` sends \
         it.",
        r#"fn on_depart(me, event) { if event.solid == "lift" { world::set_solid("door", true); } }"#,
    ),
    event(
        "on_death",
        &Shape { name: "event of on_death", common: EVENT, own: &[] },
        "Called last, as soon as `me.remove()` takes effect and removes the entity.",
        "fn on_death(me) { print(`${me.name} is gone`); }",
    ),
    event(
        "on_quarantine",
        &Shape { name: "event of on_quarantine", common: EVENT, own: &[] },
        "Called in the level's own script when an entity's script has failed in ten ticks in a row. The \
         entity's script is disabled until a file changes or the level restarts.",
        "fn on_quarantine(me, event) { print(`${event.entity} fails`); }",
    ),
    event(
        "on_note",
        &Shape { name: "event of on_note", common: EVENT, own: NOTE },
        "Called when the entity's script logs text with `me.note`.",
        "fn on_note(me, event) { print(event.text); }",
    ),
    event(
        "on_reload",
        &Shape { name: "event of on_reload", common: EVENT, own: &[] },
        "Called in the first tick after a reload. Position, variables and all other state are kept.",
        r#"fn on_reload(me) { print("reloaded"); }"#,
    ),
];

/// All hooks, rules first.
pub fn hooks() -> impl Iterator<Item = &'static ScriptHook> {
    RULES.iter().chain(EVENTS)
}

/// The hook of this name; none if the game calls no such function.
pub fn find_hook(name: &str) -> Option<&'static ScriptHook> {
    hooks().find(|hook| hook.name == name)
}
