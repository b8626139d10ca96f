//! Commands and answers as a script writes them, for explanations.

use glam::DVec2;
use hangtime_core::{
    models::{OwnActions, Windows},
    sim::{Command, why::RuleAnswer},
};

/// How a language writes what differs between languages, for messages and editors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    /// What is between a module and its function, as in `world::keep`.
    pub scope: &'static str,
    /// Nothing.
    pub nothing: &'static str,
    /// What a map begins with.
    pub map: &'static str,
    /// What is between the key of a map and its value.
    pub entry: &'static str,
    /// The variables of the entity.
    pub variables: &'static str,
    /// Whether functions of the file are called on them as methods, too.
    pub own_methods: bool,
    /// What is between a value and its methods, besides a dot.
    pub method: &'static str,
    /// What a function of the file begins with.
    pub function: &'static str,
    /// What encloses the body of a function.
    pub body: [&'static str; 2],
    /// What the declaration of a variable begins with.
    pub variable: &'static str,
    /// What the declaration of a constant begins with.
    pub constant: &'static str,
    /// What a comment to the end of the line begins with.
    pub comment: &'static str,
    /// What a text can be between.
    pub quotes: &'static [char],
}

fn vec(v: DVec2) -> String {
    format!("{}, {}", v.x, v.y)
}

/// The script call that gives a command in a game with these actions.
pub fn call(command: &Command, actions: &OwnActions, spelling: Spelling) -> String {
    let world = format!("world{}", spelling.scope);
    match command {
        Command::SetVelocity(v, 0.0) => format!("me.vel = ({})", vec(*v)),
        Command::SetVelocity(v, z) => format!("me.vel = ({}, {z})", vec(*v)),
        Command::Turn(angle) => format!("me.angle = {angle}"),
        Command::Spin(spin) => format!("me.spin = {spin}"),
        Command::SetExternal(v, 0.0) => format!("me.external = ({})", vec(*v)),
        Command::SetExternal(v, z) => format!("me.external = ({}, {z})", vec(*v)),
        Command::Push(v) => format!("me.push({})", vec(*v)),
        Command::PushZ(z) => format!("me.push_z({z})"),
        Command::Face(side) => format!("me.facing = {side}"),
        Command::Hold(action) => format!("me.hold(\"{}\")", actions.name_of(*action)),
        Command::Release(action) => format!("me.release(\"{}\")", actions.name_of(*action)),
        Command::Steer(stick) => format!("me.steer(\"move\", {})", vec(*stick)),
        Command::Aim(point) => format!("me.aim({})", vec(*point)),
        Command::Jump => "me.jump()".into(),
        Command::LetGo => "me.let_go()".into(),
        Command::FireHook(at) => format!("me.fire_hook({})", vec(*at)),
        Command::ReleaseHook => "me.release_hook()".into(),
        Command::JumpTo(jump) => {
            let aim = &jump.aim;
            format!("me.jump_to({}, {})", vec(aim.at), aim.clearance)
        }
        Command::Place(at, None) => format!("me.place({})", vec(*at)),
        Command::Place(at, Some(z)) => format!("me.place({}, {z})", vec(*at)),
        Command::SetTimeScale(scale) => format!("me.time_scale = {scale}"),
        Command::SetWorldTimeScale(scale) => format!("{world}set_time_scale({scale})"),
        Command::SetModel(model) => format!("me.set_model(\"{}\")", model.as_str()),
        Command::ClearModel => "me.clear_model()".into(),
        Command::Tune(model, key, value) => {
            format!("me.tune(\"{}.{key}\", {value})", model.as_str())
        }
        Command::Untune(Some((model, key))) => format!("me.untune(\"{}.{key}\")", model.as_str()),
        Command::Untune(None) => "me.untune()".into(),
        Command::Resize(Some(size)) => format!("me.resize({})", vec(*size)),
        Command::Resize(None) => "me.resize()".into(),
        Command::SetStance(Some(name)) => format!("me.set_stance(\"{name}\")"),
        Command::SetStance(None) => "me.clear_stance()".into(),
        Command::After(seconds, name, _) => format!("me.after({seconds}, \"{name}\")"),
        Command::Cancel(name) => format!("me.cancel(\"{name}\")"),
        Command::Start(at) => format!("me.start(\"{}\")", at.sequence),
        Command::Stop(name) => format!("me.stop(\"{name}\")"),
        Command::Wait(at, ..) => format!("{} waits: {}", at.sequence, at.label),
        Command::Emit(name, _) => format!("{world}emit(\"{name}\")"),
        Command::Create(new) => format!("{world}create(…): {}", new.name),
        Command::Remove => "me.remove()".into(),
        Command::Switch(_, there) => format!("{world}set_solid(…, {there})"),
        Command::CreateSolid(created) => format!("{world}create_solid(\"{}\", …)", created.name),
        Command::RemoveSolid(name) => format!("{world}remove_solid(\"{name}\")"),
        Command::BreakTile(at) => format!("{world}break_tile({})", vec(*at)),
        Command::SwitchZone(_, there) => format!("{world}set_zone(…, {there})"),
        Command::Call(_, Some(point)) => format!("{world}send(…, {point})"),
        Command::Call(_, None) => format!("{world}stop(…)"),
        Command::MoveSolid(_, to) => format!("{world}move_solid(…, {}, {})", to.x, to.y),
        Command::TurnSolid(_, angle) => format!("{world}turn_solid(…, {})", angle.to_radians()),
        Command::SetSpeed(_, speed) => format!("{world}set_path_speed(…, {speed})"),
        Command::Level(order) => match &order.level {
            Some(level) => format!("{world}play_level({level:?})"),
            None => format!("{world}restart()"),
        },
        Command::Checkpoint(_) => format!("{world}checkpoint(…)"),
        Command::Note(text) => format!("me.note({text:?})"),
        Command::FindRoute(order) => format!("{world}route({:?}, …)", order.kind),
        Command::Join(joint) => {
            let kind = if joint.spring.is_some() { "spring" } else { "rope" };
            let [a, b] = joint.ends.each_ref().map(|end| match end.name.is_empty() {
                true => format!("({})", vec(end.at)),
                false => format!("\"{}\"", end.name),
            });
            format!("{world}{kind}({a}, {b}, {})", joint.length)
        }
        Command::Reel(id, reel) => format!("{world}reel({id}, {}, {})", reel.to, reel.speed),
        Command::Cut(id) => format!("{world}cut({id})"),
        Command::Keep(name, _) => format!("{world}keep(\"{name}\", …)"),
        // The screen moves nothing, and the layer is said by the commands that follow.
        Command::Draw(_) | Command::Sound(_) | Command::InLayer(_) => String::new(),
    }
}

/// The value that a rule returns to answer this.
pub fn answer(answer: &RuleAnswer, spelling: Spelling) -> String {
    match answer {
        RuleAnswer::Model(Some(model)) => format!("\"{}\"", model.as_str()),
        RuleAnswer::Model(None) => spelling.nothing.into(),
        RuleAnswer::JumpWindows(times) => windows(times, spelling),
        RuleAnswer::GrappleSnaps(yes) | RuleAnswer::CanGrab(yes) => yes.to_string(),
    }
}

fn windows(windows: &Windows, Spelling { nothing, map, entry, .. }: Spelling) -> String {
    let times = [
        ("coyote_time", windows.coyote_time),
        ("jump_buffer", windows.jump_buffer),
        ("jump_hold_time", windows.jump_hold_time),
    ];
    let given = times.iter().filter_map(|(name, time)| Some(format!("{name}{entry}{}", time.get()?)));
    let given: Vec<String> = given.collect();
    match given.as_slice() {
        [] => nothing.into(),
        given => format!("{map} {} }}", given.join(", ")),
    }
}
