//! What an agent can do: the parts of an action, and the input that they make.

use glam::DVec2;
use hangtime::models::{Action, ModelName, OwnActions};
use hangtime::project::Live;
use hangtime::script::host::names::suggestion;
use hangtime::sim::PlayerInput;
use std::f64::consts::FRAC_1_SQRT_2;
use std::fmt::Write as _;

/// How far from the body an agent aims, px. Only the direction counts.
const AIM_DISTANCE: f64 = 1000.0;

/// The directions in which an agent can aim, from +x counterclockwise.
const DIRECTIONS: [DVec2; 8] = [
    DVec2::new(1.0, 0.0),
    DVec2::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2),
    DVec2::new(0.0, 1.0),
    DVec2::new(-FRAC_1_SQRT_2, FRAC_1_SQRT_2),
    DVec2::new(-1.0, 0.0),
    DVec2::new(-FRAC_1_SQRT_2, -FRAC_1_SQRT_2),
    DVec2::new(0.0, -1.0),
    DVec2::new(FRAC_1_SQRT_2, -FRAC_1_SQRT_2),
];

/// A part of an action that is chosen independently of the others.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ActionPart {
    /// Left, none or right.
    Sideways,
    /// Down, none or up.
    Upright,
    /// Released or held; `None` for an action that the game no longer has, which does nothing.
    Button(Option<Action>),
    /// No aim, or one of eight directions.
    Aim,
}

/// The parts of a player's action.
#[derive(Clone, Debug)]
pub struct ActionLayout {
    parts: Vec<(String, ActionPart)>,
    /// Whether parts are numbers from −1 to 1 instead of choices.
    continuous: bool,
}

/// What a part is called, and how many choices it has; 0 if it is a number from −1 to 1.
pub type NamedPart = (String, i64);

impl ActionLayout {
    /// The parts that the models of a kind and the game's own actions use; with `wanted`, only the parts named there.
    ///
    /// # Errors
    /// The wanted part that does not exist.
    pub fn new(live: &Live, profile: usize, continuous: bool, wanted: Option<&[String]>) -> Result<Self, String> {
        let mut all = Self::all(live, profile);
        if let Some(wanted) = wanted {
            for name in wanted {
                if !all.iter().any(|(known, _)| known == name) {
                    let near = suggestion(name, all.iter().map(|(name, _)| name.as_str()));
                    return Err(format!("actions: there is no part `{name}`{near}"));
                }
            }
            all.retain(|(name, _)| wanted.contains(name));
        }
        if all.is_empty() {
            return Err("actions: name at least one part".into());
        }
        Ok(Self { parts: all, continuous })
    }

    fn all(live: &Live, profile: usize) -> Vec<(String, ActionPart)> {
        let stage = &live.revision().stage;
        let models = models_of(live, profile);
        let moves = |action| {
            let mut moves = models.iter().flat_map(|model| model.moves());
            moves.any(|(actions, _)| actions.contains(&action))
        };
        let view = stage.level.view;
        let mut parts = vec![("sideways".to_string(), ActionPart::Sideways)];
        // Down also drops through one-way platforms, and lets go of walls.
        let falls = models.contains(&ModelName::platformer);
        if falls || moves(Action::Up) || moves(Action::Down) {
            parts.push(("upright".into(), ActionPart::Upright));
        }
        if models.iter().any(|model| model.jumps_in(view)) {
            parts.push(("jump".into(), ActionPart::Button(Some(Action::Jump))));
        }
        if models.iter().any(|model| model.hooks()) {
            parts.push(("hook".into(), ActionPart::Button(Some(Action::Hook))));
        }
        for name in stage.actions.names() {
            let own = stage.actions.own(name);
            parts.push((name.to_string(), ActionPart::Button(own)));
        }
        if models.iter().any(|model| model.hooks()) {
            parts.push(("aim".into(), ActionPart::Aim));
        }
        parts
    }

    /// The names of the parts with the number of their choices; an aim of numbers has two parts.
    pub fn names(&self) -> Vec<NamedPart> {
        let mut names = Vec::new();
        for (name, part) in &self.parts {
            match part {
                ActionPart::Aim if self.continuous => {
                    names.extend([("aim.x".to_string(), 0), ("aim.y".to_string(), 0)]);
                }
                _ if self.continuous => names.push((name.clone(), 0)),
                ActionPart::Sideways | ActionPart::Upright => names.push((name.clone(), 3)),
                ActionPart::Button(_) => names.push((name.clone(), 2)),
                ActionPart::Aim => names.push((name.clone(), DIRECTIONS.len() as i64 + 1)),
            }
        }
        names
    }

    /// The same parts where the game's actions have other places. Those that are gone do nothing.
    pub fn renamed(&mut self, actions: &OwnActions) {
        for (name, part) in &mut self.parts {
            if let ActionPart::Button(action @ (None | Some(Action::Own(_)))) = part {
                *action = actions.own(name);
            }
        }
    }

    /// The input that choices make, for a body at `at`. They must be in range.
    pub fn choose(&self, choices: &[i64], at: DVec2) -> PlayerInput {
        let mut input = PlayerInput::default();
        for ((_, part), choice) in self.parts.iter().zip(choices) {
            match (part, choice) {
                (ActionPart::Sideways, 0) => input.held.insert(Action::Left),
                (ActionPart::Sideways, 2) => input.held.insert(Action::Right),
                (ActionPart::Upright, 0) => input.held.insert(Action::Down),
                (ActionPart::Upright, 2) => input.held.insert(Action::Up),
                (ActionPart::Button(Some(action)), 1) => input.held.insert(*action),
                (ActionPart::Aim, place @ 1..) => {
                    let direction = DIRECTIONS[(*place as usize - 1) % DIRECTIONS.len()];
                    input.aim = Some(at + direction * AIM_DISTANCE);
                }
                _ => {}
            }
        }
        input
    }

    /// The input that numbers from −1 to 1 make, for a body at `at`: the stick, buttons that are held above 0, and
    /// where to aim unless both numbers are 0.
    pub fn push(&self, numbers: &[f32], at: DVec2) -> PlayerInput {
        let mut input = PlayerInput::default();
        let mut numbers = numbers.iter().map(|number| f64::from(*number).clamp(-1.0, 1.0));
        let mut next = || numbers.next().unwrap_or(0.0);
        for (_, part) in &self.parts {
            match part {
                ActionPart::Sideways => input.stick.x = next(),
                ActionPart::Upright => input.stick.y = next(),
                ActionPart::Button(action) => {
                    if next() > 0.0
                        && let Some(action) = action
                    {
                        input.held.insert(*action);
                    }
                }
                ActionPart::Aim => {
                    let direction = DVec2::new(next(), next());
                    if direction != DVec2::ZERO {
                        input.aim = Some(at + direction * AIM_DISTANCE);
                    }
                }
            }
        }
        input
    }
}

/// The input as words of an input file. Numbers read back bit for bit.
pub fn words(player: u8, input: &PlayerInput, actions: &OwnActions) -> String {
    let prefix = match player {
        1 => String::new(),
        player => format!("p{player}."),
    };
    let mut words = String::new();
    for action in Action::every().filter(|action| input.held.has(*action)) {
        let _ = write!(words, " {prefix}{}", actions.name_of(action));
    }
    if input.stick != DVec2::ZERO {
        let _ = write!(words, " {prefix}move={:?}:{:?}", input.stick.x, input.stick.y);
    }
    if let Some(aim) = input.aim {
        let _ = write!(words, " {prefix}aim={:?}:{:?}", aim.x, aim.y);
    }
    words
}

/// The models that entities of a profile can have: its own, and those that its script names.
pub fn models_of(live: &Live, profile: usize) -> Vec<ModelName> {
    let revision = live.revision();
    let profile = &revision.stage.profiles[profile];
    let source = profile.script.and_then(|script| {
        let name = revision.scripts.get(script).name();
        revision.files.get(name)
    });
    let named = |model: &ModelName| {
        let quoted = format!("\"{model}\"");
        source.is_some_and(|source| source.text.contains(&quoted))
    };
    let models = ModelName::ALL.iter().copied();
    models.filter(|model| *model == profile.model || named(model)).collect()
}
