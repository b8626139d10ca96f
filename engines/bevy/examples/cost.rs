//! What the plugin adds to the time of a tick: `cargo run --release --example cost`.

use bevy_app::App;
use hangtime_bevy::{FrameTime, HangtimeGame, HangtimePlugin, Player};
use hangtime_core::{models::Action, sim::Inputs};
use std::{fmt::Write as _, fs, path::Path, time::Instant};

/// Ticks in a stretch. The bare level and the apps take turns.
const TICKS: u32 = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    println!("| heroes | core, a tick | Bevy without the plugin, a frame | with it | the plugin, of the tick |");
    println!("|---:|---:|---:|---:|---:|");
    for heroes in [1, 10, 100, 1000] {
        write_level(folder.path(), heroes)?;
        let mut apps = [plugin(folder.path()), plugin(folder.path())];
        let mut empty = App::new();
        let mut times = [Vec::new(), Vec::new(), Vec::new()];
        for stretch in 0..100 {
            let mut player = Player::new(1);
            player.input.held.insert([Action::Right, Action::Left][stretch % 2]);
            let inputs = Inputs::of_first(player.input);
            apps[1]
                .world_mut()
                .query::<&mut Player>()
                .iter_mut(apps[1].world_mut())
                .for_each(|mut it| *it = player);
            let began = Instant::now();
            for _ in 0..TICKS {
                apps[0].world_mut().resource_mut::<HangtimeGame>().live().step(&inputs);
            }
            times[0].push(began.elapsed().as_secs_f64());
            let began = Instant::now();
            for _ in 0..TICKS {
                apps[1].update();
            }
            times[1].push(began.elapsed().as_secs_f64());
            let began = Instant::now();
            for _ in 0..TICKS {
                empty.update();
            }
            times[2].push(began.elapsed().as_secs_f64());
        }
        let hashes = apps
            .each_mut()
            .map(|app| app.world_mut().resource_mut::<HangtimeGame>().live().world().hash());
        assert_eq!(hashes[0], hashes[1], "both play the same");
        let [core, app, empty] = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2] / f64::from(TICKS) * 1e6
        });
        let share = (app - empty - core) / core * 100.0;
        println!("| {heroes} | {core:.1} µs | {empty:.1} µs | {app:.1} µs | {share:.0} % |");
    }
    Ok(())
}

fn plugin(folder: &Path) -> App {
    let mut app = App::new();
    app.add_plugins(HangtimePlugin { clock: false, reload: false, ..HangtimePlugin::new(folder, "yard") });
    app.world_mut().resource_mut::<FrameTime>().0 = 1.0 / 60.0;
    app.world_mut().spawn(Player::new(1));
    app
}

/// Heroes that run back and forth, a second each way.
fn write_level(folder: &Path, heroes: u32) -> Result<(), Box<dyn std::error::Error>> {
    fs::create_dir_all(folder.join("config/entities"))?;
    fs::create_dir_all(folder.join("levels"))?;
    fs::write(folder.join("config/entities/hero.toml"), "model = \"platformer\"\nbody = { ellipse = [10, 19] }\n")?;
    let most = 15 * heroes + 1000;
    let mut level = format!("[[solid]]\npoints = [[-{most}, -40], [{most}, -40], [{most}, 0], [-{most}, 0]]\n");
    for i in 0..heroes {
        let x = 30 * i64::from(i) - 15 * i64::from(heroes);
        write!(level, "[[entity]]\nkind = \"hero\"\nat = [{x}, 19]\nplayer = 1\n")?;
    }
    Ok(fs::write(folder.join("levels/yard.toml"), level)?)
}
