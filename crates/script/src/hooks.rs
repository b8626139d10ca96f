//! The functions of a script that the game calls: when, with which fields, and what they return.

use super::{
    api::{Names, Shape, Type},
    shapes::*,
};
use crate::prose;

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

/// The rules. `model` and `jump_windows` are called when the entity spawns, after a reload, and in every tick in which the entity's
/// surface, zones, `grounded` or variables have changed; their answers hold until the next call. `reward` and `done` are
/// asked between ticks, by programs that drive the game. The others are called whenever their question comes up.
pub const RULES: &[ScriptHook] = &[
    ScriptHook {
        name: "model",
        kind: HookKind::Rule,
        about: None,
        answers: Type::Either(&[Type::Name(Names::Model), Type::Nothing]),
        doc: prose! {
            /// Decides which model moves the entity. Returns a model's name, or `()` for the model of its kind.
            /// `on_model_refused` reports a model that cannot take over.
        },
        example: r#"fn model(me) { if me.surface == "ice" { "two_velocity" } else { "platformer" } }"#,
    },
    ScriptHook {
        name: "jump_windows",
        kind: HookKind::Rule,
        about: None,
        answers: Type::Either(&[Type::Map(&WINDOWS), Type::Nothing]),
        doc: prose! {
            /// Sets the entity's jump windows. Returns a map with any of `coyote_time`, `jump_buffer` and
            /// `jump_hold_time`, in seconds. Keys you leave out keep their tuned values; `()` keeps all three.
        },
        example: "fn jump_windows(me) { #{ coyote_time: 0.15 } }",
    },
    ScriptHook {
        name: "grapple_snaps",
        kind: HookKind::RuleAbout("rope"),
        about: Some(&ROPE),
        answers: Type::Either(&[Type::Flag, Type::Nothing]),
        doc: prose! {
            /// Decides whether the rope of an attached hook snaps. Returns true or false, or `()` to let tuning decide.
            /// Called every tick while hooked, after the forces and before the rope acts.
        },
        example: "fn grapple_snaps(me, rope) { rope.pull_away > 1000 }",
    },
    ScriptHook {
        name: "can_grab",
        kind: HookKind::RuleAbout("hit"),
        about: Some(&WALL),
        answers: Type::Either(&[Type::Flag, Type::Nothing]),
        doc: prose! {
            /// Decides whether the entity grabs a wall or roof. Returns true or false; `()` means true. Called when it
            /// hits one in the air and could grab it.
        },
        example: r#"fn can_grab(me, hit) { hit.surface != "ice" }"#,
    },
    ScriptHook {
        name: "reward",
        kind: HookKind::Rule,
        about: None,
        answers: Type::Either(&[Type::Number, Type::Nothing]),
        doc: prose! {
            /// Tells a learning agent how well the entity did since its last step. Returns a number, or `()` for 0.
            /// Called only by programs that drive the game, after each of their steps; never while people play. What it
            /// changes is dropped.
        },
        example: "fn reward(me) { me.vel.x / 100 }",
    },
    ScriptHook {
        name: "done",
        kind: HookKind::Rule,
        about: None,
        answers: Type::Either(&[Type::Flag, Type::Nothing]),
        doc: prose! {
            /// Tells a learning agent that its run has ended. Returns true or false; `()` means false. Called when
            /// `reward` is. What it changes is dropped.
        },
        example: r#"fn done(me) { "exit" in me.zones }"#,
    },
];

/// Lines of the list of events: doc, name, own fields, example.
macro_rules! events {
    ($( $(#[doc = $doc:literal])+ $name:ident($own:expr): $example:literal; )*) => {
        /// The events. An event hook is called in the tick after the event, before `on_tick`.
        pub const EVENTS: &[ScriptHook] = &[$( ScriptHook {
            name: stringify!($name),
            kind: HookKind::Event,
            about: Some(&Shape { name: concat!("event of ", stringify!($name)), common: EVENT, own: $own }),
            answers: Type::Any,
            doc: concat!($($doc),+).trim_ascii(),
            example: $example,
        }, )*];
    };
}

events! {
    /// Called once in the level's own script, in the first tick of the level and before all other hooks. Called again when
    /// the level starts again, not after a reload. An entity has `on_birth`.
    on_start(&[]): r#"fn on_start(me) { world::set_solid("door", true); }"#;
    /// Called in the entity's first tick.
    on_birth(&[]): "fn on_birth(me) { this.coins = 0; }";
    /// Called every tick, after all other events.
    on_tick(&[]): r#"fn on_tick(me) { me.hold("right"); }"#;
    /// Called when the entity lands on ground.
    on_land(LAND): "fn on_land(me, event) { if event.speed > 900 { me.vel = vec(0, 0); } }";
    /// Called when the entity leaves the ground: it jumps, walks off an edge or is carried away.
    on_leave_ground(LEAVE_GROUND): "fn on_leave_ground(me, event) { if !event.jumped { this.left = me.age; } }";
    /// Called when a jump of the entity starts.
    on_jump(&[]): "fn on_jump(me) { this.jumps = (this.jumps ?? 0) + 1; }";
    /// Called when the entity stands on a different surface than the last one. The surface it spawns on does not count.
    on_surface(SURFACE): r#"fn on_surface(me, event) { this.slips = event.surface == "ice"; }"#;
    /// Called when another model takes over the entity's motion.
    on_model(MODEL): "fn on_model(me, event) { print(`${event.was} to ${event.model}`); }";
    /// Called once when a change of model is refused: the model does not work in the level's view, or its body has no
    /// room. The change is tried again in every tick until it succeeds or the script wants another model.
    on_model_refused(MODEL_REFUSED): "fn on_model_refused(me, event) { print(event.reason); }";
    /// Called when the entity grabs a wall or roof.
    on_grab(GRAB): "fn on_grab(me, event) { this.wall = event.normal; }";
    /// Called when the entity lets go of a wall or roof.
    on_drop(DROP): "fn on_drop(me, event) { if event.jumped { me.push(0, 60); } }";
    /// Called when the entity's hook attaches to a solid or, with `hook_holds = "entities"`, to an entity.
    on_hook(HOOK): "fn on_hook(me, event) { this.anchor = event.at; }";
    /// Called when the entity's attached hook comes off: it is released, or the rope snaps.
    on_unhook(UNHOOK): "fn on_unhook(me, event) { if event.snapped { this.ropes = 0; } }";
    /// Called when a vessel or a ballistic body in flight hits something.
    on_hit(HIT): "fn on_hit(me, event) { if event.speed > 300 && !event.foot { this.broken = true; } }";
    /// Called when the entity starts to touch another entity. Bodies are compared where a tick ends, so a fast and small
    /// one may pass another between two ticks.
    on_touch(TOUCH): r#"fn on_touch(me, event) { if event.kind == "guard" { me.jump(); } }"#;
    /// Called when the entity's center enters a zone.
    on_enter(ZONE): r#"fn on_enter(me, event) { this.swims = event.zone == "water"; }"#;
    /// Called when the entity's center leaves a zone.
    on_leave(ZONE): r#"fn on_leave(me, event) { if event.zone == "water" { this.swims = false; } }"#;
    /// Called when moving platforms or solids that were switched on leave the entity no room; not called again until it
    /// has had room.
    on_crush(&[]): "fn on_crush(me) { me.place(0, 100); }";
    /// Called when the entity leaves the level's bounds. It returns to its start unless this hook places it elsewhere.
    on_fall_out(&[]): "fn on_fall_out(me) { me.place(0, 100); }";
    /// Called in every script that has it when a platform reaches the point to which `world::send` has sent it.
    on_arrive(PLATFORM): r#"fn on_arrive(me, event) { if event.solid == "lift" { world::set_solid("door", false); } }"#;
    /// Called in every script that has it when a platform that rested leaves for the point to which `world::send` sends
    /// it.
    on_depart(PLATFORM): r#"fn on_depart(me, event) { if event.solid == "lift" { world::set_solid("door", true); } }"#;
    /// Called in every script that has it when a rope or spring has snapped, or is gone with an entity or a solid that it
    /// held. `world::cut` does not call it.
    on_joint_lost(LOST_JOINT): "fn on_joint_lost(me, event) { if event.joint == this.rope && event.snapped { print(\"snap\"); } }";
    /// Called last, as soon as `me.remove()` takes effect and removes the entity.
    on_death(&[]): "fn on_death(me) { print(`${me.name} is gone`); }";
    /// Called in the level's own script when an entity's script has failed in ten ticks in a row. The entity's script
    /// is disabled until a file changes or the level restarts.
    on_quarantine(&[]): "fn on_quarantine(me, event) { print(`${event.entity} fails`); }";
    /// Called when the entity's script logs text with `me.note`.
    on_note(NOTE): "fn on_note(me, event) { print(event.text); }";
    /// Called in the first tick after a reload. Position, variables and all other state are kept.
    on_reload(&[]): r#"fn on_reload(me) { print("reloaded"); }"#;
}

/// All hooks, rules first.
pub fn hooks() -> impl Iterator<Item = &'static ScriptHook> {
    RULES.iter().chain(EVENTS)
}

/// The hook of this name; none if the game calls no such function.
pub fn find_hook(name: &str) -> Option<&'static ScriptHook> {
    hooks().find(|hook| hook.name == name)
}

/// The map that scripts receive with an event of this name, of the game or of scripts.
pub fn event_shape(event: &str) -> &'static Shape {
    find_hook(&format!("on_{event}")).and_then(|hook| hook.about).unwrap_or(&SIGNAL_EVENT)
}
