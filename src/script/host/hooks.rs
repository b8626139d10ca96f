//! The functions of a script that the game calls.

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
pub struct Hook {
    /// Its name.
    pub name: &'static str,
    /// Asked or told.
    pub kind: HookKind,
    /// When it is called and what it answers.
    pub doc: &'static str,
}

impl Hook {
    /// How it is written.
    #[must_use]
    pub fn signature(&self) -> String {
        match self.kind {
            HookKind::Rule => format!("{}(me)", self.name),
            HookKind::RuleAbout(what) => format!("{}(me, {what})", self.name),
            HookKind::Event => format!("{0}(me)` or `{0}(me, event)", self.name),
        }
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

const fn rule(name: &'static str, doc: &'static str) -> Hook {
    Hook {
        name,
        kind: HookKind::Rule,
        doc,
    }
}

const fn event(name: &'static str, doc: &'static str) -> Hook {
    Hook {
        name,
        kind: HookKind::Event,
        doc,
    }
}

/// The rules. `model` and `jump_windows` are asked at birth, after a reload, and in any tick whose
/// surface, zones, grounded or variables changed; the answer holds until they are asked again. The others
/// are asked whenever what they are about comes up.
pub const RULES: &[Hook] = &[
    rule(
        "model",
        "Which model moves the entity: a name, or `()` for the kind's own.",
    ),
    rule(
        "jump_windows",
        "The times of a jump: a map with any of `grace_time`, `jump_buffer` and \
         `jump_hold_time`, in seconds, or `()` for those that are tuned.",
    ),
    Hook {
        name: "grapple_snaps",
        kind: HookKind::RuleAbout("rope"),
        doc: "Whether the rope of an attached hook snaps: true or false, or `()` for what tuning \
              says. Asked each tick, after the forces and before the rope acts. `rope` has \
              `pull_away` (px/s), `length` (px), `tip` (a vec), `away_held` and `snaps` (by tuning).",
    },
    Hook {
        name: "can_grab",
        kind: HookKind::RuleAbout("hit"),
        doc: "Whether a wall or roof is grabbed: true or false, or `()` for yes. Asked when a body \
              in the air has run into something to grab. `hit` has `solid`, `surface`, `normal` and \
              `roof`.",
    },
];

/// The events. What happened in one step is told in the next, before `on_tick`.
pub const EVENTS: &[Hook] = &[
    event("on_birth", "The entity has come into the world."),
    event("on_tick", "Every tick."),
    event(
        "on_land",
        "It has come to stand: `solid`, `surface`, `normal`, `speed` (into the ground, px/s).",
    ),
    event(
        "on_leave_ground",
        "It stands no more: `jumped` says whether by a jump of its own.",
    ),
    event("on_jump", "A jump has started."),
    event(
        "on_surface",
        "It stands on another `surface` than it stood on last (`was`).",
    ),
    event("on_model", "Another `model` moves it than before (`was`)."),
    event(
        "on_model_refused",
        "The `model` that was wanted cannot have it, and the `reason`.",
    ),
    event(
        "on_grab",
        "It clings to a wall or roof: `solid`, `surface`, `normal`.",
    ),
    event(
        "on_drop",
        "It has let go of a wall or roof: `jumped` says whether by a jump.",
    ),
    event(
        "on_hook",
        "Its hook has attached: `solid`, `surface`, `at`.",
    ),
    event(
        "on_unhook",
        "Its hook holds on no more: `snapped` says whether the rope broke.",
    ),
    event(
        "on_hit",
        "A vessel or a body in flight has run into something: `solid`, `surface`, `normal`, `speed` \
         (into it, px/s), `foot` (whether a foot took it).",
    ),
    event(
        "on_touch",
        "It has come to touch another entity: `other` is its name, `kind` its kind.",
    ),
    event(
        "on_enter",
        "Its centre has come into the `zone` with this name.",
    ),
    event("on_leave", "Its centre has left the `zone` with this name."),
    event("on_crush", "Platforms leave it no room."),
    event(
        "on_fall_out",
        "It has left the level's bounds. Unless this places it elsewhere it returns to its start.",
    ),
    event(
        "on_reload",
        "A new revision of the files runs; its state has been kept.",
    ),
];

/// All hooks, rules first.
pub fn hooks() -> impl Iterator<Item = &'static Hook> {
    RULES.iter().chain(EVENTS)
}

/// The hook with this name.
#[must_use]
pub fn find_hook(name: &str) -> Option<&'static Hook> {
    hooks().find(|hook| hook.name == name)
}
