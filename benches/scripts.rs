//! What scripts cost: `cargo bench --bench scripts`.
//!
//! *A call* is one tick of one entity with a hook, minus the time of the same entities without a
//! script: both are measured in turn. It is compiled, then interpreted, then in Lua. The crowd of 10,000 holds
//! 60 Hz on one core if its tick takes less than 16.7 ms.

use glam::DVec2;
use hangtime::{
    project::{Live, Project},
    script::host::STACK,
    sim::{Inputs, PlayerInput},
};
use std::{fmt::Write as _, path::Path, sync::Arc, time::Instant};

/// Ticks per measurement.
const TICKS: u32 = 480;
/// Measurements per median; the candidates alternate.
const ROUNDS: usize = 9;
/// Whether scripts in Lua run: `cargo bench --bench scripts --features lua`.
const WITH_LUA: bool = cfg!(feature = "lua");

fn main() {
    // Scripts need a large stack.
    let bench = std::thread::Builder::new().stack_size(STACK).spawn(run);
    bench.expect("a thread").join().expect("the benches run");
}

/// A hook of 1,000 idle entities: its name, in Rhai, and in Lua.
const HOOKS: [(&str, &str, &str); 12] = [
    ("no hook", "fn helper(x) { x }", "function helper(x) return x end"),
    ("a hook for what never happens", "fn on_crush(me) { this.n += 1; }", "function on_crush(me) vars.n += 1 end"),
    ("on_tick, empty", "fn on_tick(me) { }", "function on_tick(me) end"),
    ("on_tick, this.n += 1", "fn on_tick(me) { this.n += 1; }", "function on_tick(me) vars.n += 1 end"),
    (
        "on_tick, five variables",
        "fn on_tick(me) { this.a += 1; this.b += 1; this.c += 1; this.d += 1; this.n += 1; }",
        "function on_tick(me) vars.a += 1 vars.b += 1 vars.c += 1 vars.d += 1 vars.n += 1 end",
    ),
    (
        "on_tick, this.n += 1, with the event",
        "fn on_tick(me, event) { this.n += 1; }",
        "function on_tick(me, event) vars.n += 1 end",
    ),
    ("on_tick, one order", "fn on_tick(me) { me.hold(\"left\"); }", "function on_tick(me) me:hold('left') end"),
    (
        "on_tick, reads and writes",
        "fn on_tick(me) { if me.grounded && me.x > this.n { me.facing = 1; } else { me.hold(\"left\"); } }",
        "function on_tick(me) if me.grounded and me.x > vars.n then me.facing = 1 else me:hold('left') end end",
    ),
    (
        "on_tick, draws a text and a bar",
        "fn on_tick(me) { me.text(\"age\", 0, 30, `${me.facing}`); me.bar(\"left\", 0, 24, 0.5); }",
        "function on_tick(me) me:text('age', 0, 30, `{me.facing}`) me:bar('left', 0, 24, 0.5) end",
    ),
    (
        "jump_windows, asked when something changes",
        "fn jump_windows(me) { #{ coyote_time: 0.1, jump_buffer: 0.1 } }",
        "function jump_windows(me) return { coyote_time = 0.1, jump_buffer = 0.1 } end",
    ),
    (
        "a sequence that waits in each tick",
        "fn on_birth(me) { me.start(\"a\"); } fn a(me) { loop { wait_ticks(1); } }",
        "function on_birth(me) me:start('a') end function a(me) while true do wait_ticks(1) end end",
    ),
    (
        "a sequence, this.n += 1 in each tick",
        "fn on_birth(me) { me.start(\"a\"); } fn a(me) { loop { this.n += 1; wait_ticks(1); } }",
        "function on_birth(me) me:start('a') end function a(me) while true do vars.n += 1 wait_ticks(1) end end",
    ),
];

fn run() {
    // A part of a row's name selects rows; `cargo bench` adds its own flag.
    let chosen = std::env::args().skip(1).find(|a| !a.starts_with("--"));
    let chosen = |name: &str| chosen.as_ref().is_none_or(|part| name.contains(part.as_str()));
    println!("1000 standing entities, ns for each entity and tick");
    let columns = ["tick", "the call", "interpreted", "in Lua"];
    println!("{:44}{:>9}{:>9}{:>12}{:>9}", "", columns[0], columns[1], columns[2], columns[3]);
    let bare = Crowd::standing("");
    for (name, script, in_lua) in HOOKS.iter().filter(|(name, ..)| chosen(name)) {
        let (compiled, interpreted) = (Crowd::standing(script), Crowd::standing(script));
        interpreted.interpret();
        let [without, with, slow] = medians([&bare, &compiled, &interpreted]);
        let (call, slow) = (with - without, slow - without);
        print!("{name:44}{with:>9.1}{call:>9.1}{slow:>12.1}");
        if WITH_LUA {
            let [without, with] = medians([&bare, &Crowd::standing(in_lua)]);
            print!("{:>9.1}", with - without);
        }
        println!();
    }
    if !chosen("crowd") {
        return;
    }
    println!();
    println!("10,000 entities with jump_windows, grapple_snaps and on_land, 1,000 of them hooked");
    let [native, scripted] = medians([&Crowd::hooked(""), &Crowd::hooked(RULES)]);
    let tick = |ns: f64| ns * 10_000.0 / 1e6;
    println!("without scripts {:>7.2} ms a tick", tick(native));
    println!("with scripts    {:>7.2} ms a tick, {:.0} Hz on one core", tick(scripted), 1000.0 / tick(scripted));
    if WITH_LUA {
        let [scripted] = medians([&Crowd::hooked(RULES_IN_LUA)]).map(tick);
        println!("scripts in Lua  {scripted:>7.2} ms a tick, {:.0} Hz on one core", 1000.0 / scripted);
    }
}

/// The rules of the large crowd.
const RULES: &str = "
fn jump_windows(me) { if me.surface == \"ice\" { #{ coyote_time: 0.05 } } else { #{ coyote_time: 0.1, jump_buffer: 0.1 } } }
fn grapple_snaps(me, rope) { rope.pull_away > 1000.0 }
fn on_land(me, event) { this.n += 1; this.hardest = max(this.hardest, event.speed); }
";

/// The same rules in Lua.
const RULES_IN_LUA: &str = "
function jump_windows(me)
    return if me.surface == 'ice' then { coyote_time = 0.05 } else { coyote_time = 0.1, jump_buffer = 0.1 }
end
function grapple_snaps(me, rope) return rope.pull_away > 1000 end
function on_land(me, event) vars.n += 1 vars.hardest = math.max(vars.hardest, event.speed) end
";

/// A game to measure, and its number of entities.
struct Crowd {
    folder: tempfile::TempDir,
    count: usize,
    /// The number of entities on ropes.
    hooked: usize,
    inputs: Inputs,
    /// Ticks before the measurement.
    lead: u32,
}

impl Crowd {
    /// 1,000 entities on flat ground.
    fn standing(script: &str) -> Self {
        let place = |i: usize| DVec2::new(i as f64 * 30.0 - 15_000.0, 19.0);
        Self::new(script, 1000, place, "")
    }

    /// 10,000 entities that jump around in a hall; every tenth hangs on a rope.
    fn hooked(script: &str) -> Self {
        let place = |i: usize| {
            let x = (i as f64 - 5000.0) * 3.0;
            // Only a hook from directly below reaches a ceiling this high.
            if i.is_multiple_of(10) { DVec2::new(x, 700.0) } else { DVec2::new(x, 19.0) }
        };
        let ceiling = "[[solid]]\npoints = [[-16000, 900], [16000, 900], [16000, 1000], [-16000, 1000]]\n";
        let mut crowd = Self::new(script, 10_000, place, ceiling);
        let mut all =
            PlayerInput { held: [hangtime::models::Action::Jump].into_iter().collect(), ..Default::default() };
        all.pressed = all.held;
        crowd.inputs = Inputs::of_first(all);
        *crowd.inputs.player_mut(2) = PlayerInput {
            held: [hangtime::models::Action::Hook].into_iter().collect(),
            aim: Some(DVec2::new(0.0, 1e6)),
            ..Default::default()
        };
        crowd.lead = 60;
        crowd.hooked = 1000;
        crowd
    }

    fn new(script: &str, count: usize, place: impl Fn(usize) -> DVec2, more: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        };
        // Without the variable there is nothing to store.
        let vars = match script {
            script if script.contains("hardest") => "n = 0, hardest = 0.0",
            script if script.contains(".a +=") => "a = 0, b = 0, c = 0, d = 0, n = 0",
            _ => "n = 0",
        };
        let ending = if script.contains("function ") { "luau" } else { "rhai" };
        let script_key = if script.is_empty() {
            String::new()
        } else {
            format!("script = \"crowd.{ending}\"\n")
        };
        write(&format!("scripts/crowd.{ending}"), script);
        let kind = format!("{script_key}model = \"platformer\"\nvars = {{ {vars} }}\n");
        write("config/entities/crowd.toml", &kind);
        write("config/hangtime.toml", "[simulation]\ntouches = false\nmax_entities = 10000\n");
        let mut level = format!("[[solid]]\npoints = [[-16000, -100], [16000, -100], [16000, 0], [-16000, 0]]\n{more}");
        for i in 0..count {
            let at = place(i);
            let player = if at.y > 100.0 { 2 } else { 1 };
            let _ = writeln!(level, "[[entity]]\nkind = \"crowd\"\nat = [{}, {}]\nplayer = {}", at.x, at.y, player);
        }
        write("levels/crowd.toml", &level);
        Self { folder, count, inputs: Inputs::none(), hooked: 0, lead: 10 }
    }

    /// Leaves its calls to the interpreter.
    fn interpret(&self) {
        let path = self.folder.path().join("config/hangtime.toml");
        let text = std::fs::read_to_string(&path).expect("the settings");
        std::fs::write(path, text + "[scripts]\ncompile = false\n").expect("a file");
    }

    /// The game at the start of the measurement.
    fn play(&self) -> Live {
        let project = Project::load(self.folder.path()).expect("the folder");
        let level = project.find_level("crowd").expect("the level");
        let revision = project.open(Path::new(&level), &[]).expect("a good level");
        let mut live = Live::new(Arc::new(revision), 0);
        for _ in 0..self.lead {
            live.step(&self.inputs);
        }
        live
    }

    /// The nanoseconds of some ticks.
    fn measure(&self, live: &mut Live) -> f64 {
        let (clock, cpu) = (Instant::now(), cpu_time());
        for _ in 0..TICKS {
            live.step(&self.inputs);
        }
        match (cpu, cpu_time()) {
            (Some(from), Some(to)) => to - from,
            _ => clock.elapsed().as_nanos() as f64,
        }
    }
}

/// The processor time of this thread in nanoseconds, where the system provides it: other load on
/// the machine does not count.
fn cpu_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// The median nanoseconds per entity and tick, measured alternately.
fn medians<const N: usize>(crowds: [&Crowd; N]) -> [f64; N] {
    let mut games = crowds.map(Crowd::play);
    let mut times: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    for _ in 0..ROUNDS {
        for ((crowd, game), times) in crowds.iter().zip(&mut games).zip(&mut times) {
            times.push(crowd.measure(game) / f64::from(TICKS) / crowd.count as f64);
        }
    }
    for (game, crowd) in games.iter_mut().zip(crowds) {
        let hooked = game.views().filter(|v| v.hook.state == "attached").count();
        assert_eq!(hooked, crowd.hooked, "all hooked entities are still hooked");
        assert!(game.report().faults.is_empty(), "a script failed");
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}
