//! One player of a session, in a process by itself.

use crate::{
    Failure,
    greeting::Greeting,
    lossy::LossySocket,
    session::{Hangtime, RolledGame, pressed_keys},
};
use ggrs::{DesyncDetection, GgrsError, GgrsEvent, P2PSession, PlayerType, SessionBuilder, SessionState};
use hangtime_core::sim::World;
use serde_json::{Value, json};
use std::{
    io::Write as _,
    net::{Ipv4Addr, SocketAddr},
    time::{Duration, Instant},
};

/// How long a peer stays after its last tick, so that the other one gets what it still needs.
const FAREWELL: Duration = Duration::from_secs(1);

/// How long a session may take in addition to its ticks.
const PATIENCE: Duration = Duration::from_secs(20);

/// Plays up to a tick that is confirmed by both players. Prints the hash of that tick. If the peers disagree, it writes the
/// last ticks into the file `history` and says so.
pub fn play(
    player: usize,
    (port, other): (u16, u16),
    (folder, level): (&str, &str),
    ticks: i32,
    desync: Option<u64>,
    history: &str,
) -> Result<(), Failure> {
    let mut game = RolledGame::open(folder, level)?;
    game.desync = desync;
    let hz = game.live.revision().stage.hz;
    let remote = SocketAddr::from((Ipv4Addr::LOCALHOST, other));
    Greeting::of(folder, &game.live)?.exchange(port, remote)?;
    let builder = SessionBuilder::<Hangtime>::new()
        .with_num_players(2)?
        .with_fps(hz as usize)?
        .with_max_prediction_window(8)
        // After a disconnect, the game would continue with other inputs than the other player's.
        .with_disconnect_timeout(PATIENCE)
        // Every tick is compared, so that a report names the first.
        .with_desync_detection_mode(DesyncDetection::On { interval: 1 })
        .add_player(PlayerType::Local, player)?
        .add_player(PlayerType::Remote(remote), 1 - player)?;
    let mut session = builder.start_p2p_session(LossySocket::new(port)?)?;

    let tick = Duration::from_secs(1) / hz;
    let (mut next, deadline) = (Instant::now(), Instant::now() + tick * ticks as u32 + PATIENCE);
    let (mut skip, mut last) = (0, None);
    while last.is_none_or(|last: Instant| last.elapsed() < FAREWELL) {
        if Instant::now() > deadline {
            return Err(format!("player {player} has waited for too long, at tick {}", session.current_frame()).into());
        }
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        next += tick;
        session.poll_remote_clients();
        for event in session.events() {
            match event {
                GgrsEvent::WaitRecommendation { skip_frames } => skip = skip_frames,
                GgrsEvent::DesyncDetected { frame, .. } if last.is_none() => {
                    write_history(&game, frame, history)?;
                    println!("player {player} disagrees about tick {frame}");
                    // The other one has to find it out, too.
                    last = Some(Instant::now());
                }
                GgrsEvent::Disconnected { .. } if last.is_none() => return Err("the other player is gone".into()),
                _ => {}
            }
        }
        if session.current_state() != SessionState::Running || skip > 0 {
            skip = skip.saturating_sub(1);
            continue;
        }
        // Only a frame that was made has seen all inputs that have come.
        let made = advance(&mut session, &mut game, player)?;
        if made && last.is_none() && session.confirmed_frame() >= ticks {
            let world = &game.history[&ticks];
            println!("player {player}: hash {:016x} after {ticks} ticks, {} played", world.hash(), game.played);
            last = Some(Instant::now());
        }
    }
    Ok(())
}

/// Makes a frame, and says whether it could.
fn advance(session: &mut P2PSession<Hangtime>, game: &mut RolledGame, player: usize) -> Result<bool, Failure> {
    session.add_local_input(player, pressed_keys(player, session.current_frame() as u64))?;
    match session.advance_frame() {
        Ok(requests) => game.follow(requests),
        // The other player is too far behind to guess any further.
        Err(GgrsError::PredictionThreshold) => return Ok(false),
        Err(error) => return Err(error.into()),
    }
    Ok(true)
}

/// Writes the states up to a tick, a line each. They are confirmed: no later input can change them.
fn write_history(game: &RolledGame, until: i32, path: &str) -> Result<(), Failure> {
    let mut file = std::fs::File::create(path)?;
    for (tick, world) in game.history.range(..=until) {
        let line = json!({ "tick": tick, "hash": format!("{:016x}", world.hash()), "state": state(game, world)? });
        writeln!(file, "{line}")?;
    }
    Ok(())
}

/// What entities do, by their names, and then all that is saved.
fn state(game: &RolledGame, world: &World) -> Result<Value, Failure> {
    let stage = &game.live.revision().stage;
    let entities = world.entities().iter().map(|entity| {
        let view = world.view(stage, entity);
        let body = json!({
            "pos": { "x": view.pos.x, "y": view.pos.y, "z": view.z },
            "vel": { "x": view.vel.x, "y": view.vel.y, "z": view.vel_z },
            "external": { "x": view.external.x, "y": view.external.y },
            "angle": view.angle,
            "spin": view.spin,
            "mode": view.mode.as_str(),
        });
        (entity.name.to_string(), body)
    });
    Ok(json!({ "": entities.collect::<serde_json::Map<_, _>>(), "world": serde_json::to_value(world)? }))
}
