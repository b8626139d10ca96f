//! Sounds named by events and played by scripts: what is heard, and that it changes nothing.

use crate::{
    folder::{Folder, Game, on_large_stack},
    program::{code, out, run},
    workbench_case::Case,
};
use glam::{DVec2, dvec2};
use hangtime::geometry::grid::Bounds;
use hangtime::{
    models::Action,
    project::Live,
    sim::{Command, EntityId, MOST_SOUNDS, SavedWorld, SoundOrder},
    workbench::{AudibleSound, WindowKey},
};
use std::sync::Arc;

/// A WAV file with 16 bits, as the format describes it.
pub fn wav(rate: u32, channels: u16, samples: &[i16]) -> Vec<u8> {
    let data = samples.len() as u32 * 2;
    let mut bytes = Vec::new();
    bytes.extend(b"RIFF");
    bytes.extend((36 + data).to_le_bytes());
    bytes.extend(b"WAVEfmt ");
    bytes.extend(16_u32.to_le_bytes());
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(channels.to_le_bytes());
    bytes.extend(rate.to_le_bytes());
    bytes.extend((rate * u32::from(channels) * 2).to_le_bytes());
    bytes.extend((channels * 2).to_le_bytes());
    bytes.extend(16_u16.to_le_bytes());
    bytes.extend(b"data");
    bytes.extend(data.to_le_bytes());
    samples.iter().for_each(|sample| bytes.extend(sample.to_le_bytes()));
    bytes
}

/// A game with a hero on a floor whose kind has these sounds; each file is a ping.
pub fn with_sounds(sounds: &str, script: &str) -> Folder {
    let folder = Folder::with_script(script);
    let kind = format!("script = \"hero.rhai\"\nvars = {{ n = 0 }}\n[sounds]\n{sounds}");
    folder.write("config/entities/hero.toml", &kind);
    for name in ["jump", "land", "ping"] {
        let loud = name.len() as i16 * 1000;
        let file = format!("sounds/{name}.wav");
        folder.write_bytes(&file, &wav(8_000, 1, &[0, loud, -loud]));
    }
    folder
}

const COUNTS: &str = "fn on_tick(me) { this.n += 1; }";

/// The names of the sounds of each tick, with their volumes.
fn heard(game: &mut Game, ticks: usize) -> Vec<(usize, String, f64)> {
    let mut all = Vec::new();
    for tick in 1..=ticks {
        game.ticks(1);
        let heard = game.live.heard().into_iter();
        all.extend(heard.map(|one| (tick, one.name.to_string(), one.volume)));
    }
    all
}

#[test]
fn events_of_a_kind_are_heard_in_their_tick() {
    on_large_stack(|| {
        for hz in [30, 60, 120, 240] {
            let folder = with_sounds("jump = \"jump.wav\"\nland = { file = \"land.wav\", volume = 0.5 }\n", COUNTS);
            let mut game = folder.game_at(hz);
            game.ticks(hz as usize / 4);
            game.input.pressed = [Action::Jump].into_iter().collect();
            let mut expected = Vec::new();
            let mut found = Vec::new();
            for tick in 0..hz * 2 {
                game.ticks(1);
                game.input.pressed = Default::default();
                let events = game.live.world().events().iter();
                let named = events.filter_map(|event| match event.kind.name() {
                    "jump" => Some((tick, "jump".to_string(), 1.0)),
                    "land" => Some((tick, "land".to_string(), 0.5)),
                    _ => None,
                });
                expected.extend(named);
                let heard = game.live.heard().into_iter();
                found.extend(heard.map(|one| (tick, one.name.to_string(), one.volume)));
            }
            assert_eq!(found, expected, "{hz}");
            let names: Vec<&str> = found.iter().map(|(_, name, _)| name.as_str()).collect();
            assert_eq!(names, ["jump", "land"], "{hz}");
        }
    });
}

#[test]
fn own_events_timers_and_scripts_play_sounds_of_the_kind_before_those_of_the_game() {
    on_large_stack(|| {
        let folder = with_sounds(
            "boom = \"ping.wav\"\ntock = { file = \"ping.wav\", volume = 0.25 }\n",
            "fn on_tick(me) {
                this.n += 1;
                if this.n == 2 { world::emit(\"boom\"); me.after(0.05, \"tock\"); }
                if this.n == 3 { world::sound(\"boom\", 0.5); world::sound(\"won\"); world::sound(\"nothing\"); }
            }",
        );
        folder.write(
            "config/hangtime.toml",
            "[simulation]\ntick_hz = 60\n[sounds]\nboom = { file = \"land.wav\", volume = 0.1 }\nwon = { file = \"land.wav\", volume = 0.75 }\n",
        );
        let mut game = folder.game();
        let found = heard(&mut game, 8);
        let expected = [(2, "boom", 1.0), (3, "boom", 0.5), (3, "won", 0.75), (4, "tock", 0.25)];
        let expected = expected.map(|(tick, name, volume)| (tick, name.to_string(), volume));
        assert_eq!(found, expected);
        assert_eq!(game.wrong(), [""; 0]);
    });
}

#[test]
fn an_entity_is_heard_when_it_despawns() {
    on_large_stack(|| {
        let folder = with_sounds(
            "death = \"ping.wav\"\nbye = \"ping.wav\"\n",
            "fn on_tick(me) { world::sound(\"bye\"); me.remove(); }",
        );
        let found = heard(&mut folder.game(), 3);
        let names: Vec<&str> = found.iter().map(|(_, name, _)| name.as_str()).collect();
        assert_eq!(names, ["death", "bye"]);
    });
}

#[test]
fn sounds_change_neither_hashes_nor_saved_worlds() {
    on_large_stack(|| {
        // Without a sound, the same script has an order that is as long.
        let script = |call: &str| format!("fn on_tick(me) {{ this.n += 1; {call} }}");
        let silent = with_sounds("", &script("hud::erase(\"ping\");"));
        let loud = with_sounds("ping = \"ping.wav\"\n", &script("world::sound(\"ping\");"));
        let (mut a, mut b) = (silent.game(), loud.game());
        for _ in 0..90 {
            a.ticks(1);
            b.ticks(1);
            assert_eq!(b.live.heard().len(), 1);
            assert_eq!(a.live.world().hash(), b.live.world().hash());
            let saved = serde_json::to_string(b.live.world()).expect("a world");
            assert!(!saved.contains("\"ping\""), "{saved}");
            let again: SavedWorld = serde_json::from_str(&saved).expect("a world");
            let again = again.check(&b.live.revision().stage).expect("a world");
            assert_eq!(again, *b.live.world());
            assert!(again.sounding().asked().is_empty());
        }
    });
}

#[test]
fn a_failed_call_plays_nothing() {
    on_large_stack(|| {
        let folder = with_sounds("ping = \"ping.wav\"\n", "fn on_tick(me) { world::sound(\"ping\"); throw \"no\"; }");
        let mut game = folder.game();
        assert_eq!(heard(&mut game, 3), []);
        assert!(!game.wrong().is_empty());
    });
}

#[test]
fn too_many_sounds_in_a_tick_are_reported_once() {
    on_large_stack(|| {
        let folder =
            with_sounds("ping = \"ping.wav\"\n", "fn on_tick(me) { for i in 0..100 { world::sound(\"ping\"); } }");
        let mut game = folder.game();
        let mut messages = Vec::new();
        for _ in 0..3 {
            game.ticks(1);
            assert_eq!(game.live.heard().len(), MOST_SOUNDS);
            messages.extend(game.live.report().unshown.clone());
        }
        assert_eq!(
            messages,
            [
                "`hero` does not play `ping`: scripts can play at most 64 sounds in a tick; play one when something happens, \
                 not in every tick"
            ]
        );
        assert_eq!(game.wrong(), [""; 0]);
    });
}

#[test]
fn volumes_are_clamped_and_names_have_a_length() {
    on_large_stack(|| {
        for (volume, expected) in [("0", 0.0), ("0.5", 0.5), ("1", 1.0), ("-3", 0.0), ("1e6", 1.0)] {
            let script = format!("fn on_tick(me) {{ world::sound(\"ping\", {volume}); }}");
            let mut game = with_sounds("ping = \"ping.wav\"\n", &script).game();
            let found = heard(&mut game, 1);
            assert_eq!(found, [(1, "ping".to_string(), expected)], "{volume}");
        }
        for (call, expected) in [
            ("world::sound(\"ping\", 0.0/0.0)", "cannot be NaN"),
            ("world::sound(\"ping\", \"loud\")", "or a number, not text"),
            ("world::sound(3)", "cannot be called as `world::sound(number)`"),
            ("let n = \"x\"; n.pad(65, \"x\"); world::sound(n)", "at most 64 bytes"),
        ] {
            let folder = with_sounds("ping = \"ping.wav\"\n", &format!("fn on_tick(me) {{ {call}; }}"));
            let mut game = folder.game();
            game.ticks(1);
            let wrong = game.wrong();
            assert!(wrong.len() == 1 && wrong[0].contains(expected), "{call}: {wrong:?}");
            assert!(game.live.heard().is_empty());
        }
    });
}

#[test]
fn an_order_from_outside_is_heard_only_in_its_tick() {
    let folder = with_sounds("ping = \"ping.wav\"\n", COUNTS);
    let mut game: Live = folder.game().live;
    let revision = game.revision().clone();
    let hero = game.world().entities()[0].id;
    assert_ne!(hero, EntityId::LEVEL);
    let mut world = game.world().clone();
    let order = SoundOrder { name: "ping".into(), volume: 0.5, pitch: 1.0, at: None, music: false };
    world.order(&revision.stage, hero, &Command::Sound(order));
    game.restore(world);
    assert_eq!(game.heard().len(), 1);
    game.step(&Default::default());
    assert_eq!(game.heard().len(), 0);
}

#[test]
fn tests_ask_what_was_heard() {
    let folder = with_sounds(
        "jump = \"jump.wav\"\nping = \"ping.wav\"\nwon = \"ping.wav\"\n",
        "fn on_tick(me) { this.n += 1; if this.n % 4 == 0 { world::sound(\"ping\"); } if this.n == 900 { world::emit(\"won\"); } }",
    );
    folder.write(
        "levels/tests/sounds.rhai",
        "fn test_heard() {
            let t = play(\"level\");
            expect(t.heard(\"ping\")).equals(0);
            t.ticks(4);
            expect(t.heard(\"ping\")).equals(1);
            let before = t.snapshot();
            t.press(\"jump\");
            t.ticks(4);
            expect(t.heard(\"jump\")).equals(1);
            expect(t.heard(\"ping\")).equals(2);
            t.restore(before);
            expect(t.heard(\"jump\")).equals(0);
            expect(t.heard(\"won\")).equals(0);
        }
        fn test_unknown() {
            let t = play(\"level\");
            t.ticks(1);
            t.heard(\"pign\");
        }\n",
    );
    for option in [&["test"][..], &["test", "--heavy"], &["test", "--both-ways"]] {
        let tested = run(folder.root(), option);
        let said = out(&tested);
        assert!(said.contains("1 passed, 1 failed"), "{said}");
        let expected = "nothing in this level has the sound `pign`; did you mean `ping`?";
        assert!(said.contains(expected), "{said}");
    }
    let checked = run(folder.root(), &["check", "levels/tests/sounds.rhai"]);
    let said = out(&checked);
    assert_eq!(code(&checked), 1, "{said}");
    assert!(said.contains("there is no sound `pign`; did you mean `ping`?"), "{said}");
}

#[test]
fn the_window_hears_new_ticks_at_normal_speed_only() {
    on_large_stack(|| {
        let folder = with_sounds(
            "jump = { file = \"jump.wav\", volume = 0.5 }\nping = { file = \"ping.wav\", volume = 0.5 }\nlow = { file = \"ping.wav\", volume = 0.125 }\n",
            "fn on_tick(me) { world::sound(\"low\"); world::sound(\"ping\"); world::sound(\"ping\", 0.5); }",
        );
        folder.write("config/hangtime.toml", "[window]\nvolume = 0.5\n");
        let mut case = Case::of(folder);
        let heard = |case: &mut Case| -> Vec<f64> {
            let heard = case.bench.take_heard();
            assert!(heard.iter().all(|heard| heard.sound.samples.len() == 3));
            heard.into_iter().map(|heard| heard.volume).collect()
        };
        // Each file once, as loud as its loudest sound.
        for _ in 0..5 {
            case.frames(1);
            assert_eq!(heard(&mut case), [0.25]);
        }
        for key in [
            WindowKey::Pause,
            WindowKey::StepBack,
            WindowKey::StepForward,
            WindowKey::ScrubBack,
            WindowKey::ScrubForward,
        ] {
            case.tap(key);
            assert_eq!(heard(&mut case), [0.0; 0], "{key:?}");
        }
        case.tap(WindowKey::Pause);
        heard(&mut case);
        for (key, volumes) in [(WindowKey::Faster, &[][..]), (WindowKey::Slower, &[0.25]), (WindowKey::Slower, &[])] {
            case.bench.press(key);
            case.frames(4);
            assert_eq!(heard(&mut case), volumes, "{key:?}");
        }
        case.bench.press(WindowKey::NormalSpeed);
        case.frames(1);
        assert_eq!(heard(&mut case), [0.25]);
        // A restart is heard, going back is not.
        case.tap(WindowKey::Restart);
        assert_eq!(heard(&mut case), [0.25]);
        case.tap(WindowKey::Mute);
        case.frames(3);
        assert_eq!(heard(&mut case), [0.0; 0]);
        case.tap(WindowKey::Mute);
        case.frames(1);
        assert_eq!(heard(&mut case), [0.25]);
    });
}

#[test]
fn a_level_that_begins_is_heard() {
    on_large_stack(|| {
        let folder = with_sounds("birth = \"ping.wav\"\n", COUNTS);
        let mut case = Case::of(folder);
        assert_eq!(case.bench.take_heard().len(), 1);
        case.frames(2);
        assert_eq!(case.bench.take_heard().len(), 0);
        case.tap(WindowKey::Restart);
        assert_eq!(case.bench.take_heard().len(), 1);
    });
}

#[test]
fn the_bank_shares_what_has_not_changed() {
    let folder = with_sounds("jump = \"jump.wav\"\n", COUNTS);
    let (a, b) = (folder.open().expect("a level"), folder.open().expect("a level"));
    let of = |revision: &hangtime::project::Revision| revision.sounds.files["jump.wav"].clone();
    assert!(Arc::ptr_eq(&of(&a), &of(&b)));
    let expected: Vec<f32> = [0.0, 4000.0, -4000.0].map(|x: f32| x / 32768.0).into();
    assert_eq!((of(&a).rate, of(&a).channels), (8_000, 1));
    assert_eq!(of(&a).samples, expected);
}

#[test]
fn scripts_choose_pitch_and_place_of_a_sound() {
    on_large_stack(|| {
        for (call, volume, pitch, at) in [
            ("world::sound(\"ping\")", 0.5, 1.0, None),
            ("world::sound(\"ping\", 0.5)", 0.25, 1.0, None),
            ("world::sound(\"ping\", #{})", 0.5, 1.0, None),
            ("world::sound(\"ping\", #{ volume: 0.5, pitch: 2 })", 0.25, 2.0, None),
            ("world::sound(\"ping\", #{ volume: 7, x: 30, y: -4.5 })", 0.5, 1.0, Some(dvec2(30.0, -4.5))),
        ] {
            let script = format!("fn on_tick(me) {{ {call}; }}");
            let mut game = with_sounds("ping = { file = \"ping.wav\", volume = 0.5 }\n", &script).game();
            game.ticks(1);
            let heard = game.live.heard();
            assert_eq!(game.wrong(), [""; 0]);
            assert_eq!((heard[0].volume, heard[0].pitch, heard[0].at), (volume, pitch, at), "{call}");
        }
        for (call, message) in [
            ("world::sound(\"ping\", #{ pitch: 0 })", "`pitch` of `sound` is 0; it must be between 0.25 and 4"),
            ("world::sound(\"ping\", #{ pitch: 0.0 / 0.0 })", "`pitch` of `sound` cannot be NaN"),
            ("world::sound(\"ping\", #{ x: 1 })", "the place of a sound needs `x` and `y`"),
            (
                "let it = #{ picth: 1 }; world::sound(\"ping\", it)",
                "`sound` has no setting `picth`; did you mean `pitch`?",
            ),
            ("let it = #{ x: 1 }; world::music(\"ping\", it)", "`music` has no setting `x`"),
            ("world::sound(\"ping\", true)", "must be a map, such as `#{ volume: 0.5 }`, or a number"),
            ("world::music(\"\")", "a sound needs a name; `world::stop_music()` ends the music"),
        ] {
            let script = format!("fn on_tick(me) {{ {call}; }}");
            let mut game = with_sounds("ping = \"ping.wav\"\n", &script).game();
            game.ticks(1);
            let wrong = game.wrong();
            assert!(wrong.len() == 1 && wrong[0].contains(message), "{call}: {wrong:?}");
            assert_eq!(game.live.heard().len(), 0, "{call}");
        }
    });
}

#[test]
fn a_sound_comes_from_its_side_and_fades_outside_of_the_picture() {
    let folder = with_sounds("ping = \"ping.wav\"\n", COUNTS);
    let sound = folder.game().live.revision().sounds.files.values().next().expect("a sound").clone();
    let shown = Bounds::of(dvec2(100.0, 0.0), dvec2(300.0, 100.0));
    let sides = |at: Option<DVec2>| {
        let heard = AudibleSound { sound: sound.clone(), volume: 0.8, pitch: 1.0, at };
        heard.sides(&shown)
    };
    assert_eq!(sides(None), [0.8, 0.8]);
    // The middle of the picture is (200, 50), its edges are 100 px to the sides and 50 px above and below.
    for (at, left, right) in [
        ((200.0, 50.0), 0.8, 0.8),
        ((250.0, 50.0), 0.4, 0.8),
        ((100.0, 0.0), 0.8, 0.0),
        ((300.0, 100.0), 0.0, 0.8),
        // Half a picture beyond the edge, half as loud; a whole one, silent.
        ((400.0, 50.0), 0.0, 0.4),
        ((200.0, 150.0), 0.8 * 0.5 * 1.0, 0.4),
        ((500.0, 50.0), 0.0, 0.0),
        ((1e9, -1e9), 0.0, 0.0),
    ] {
        let found = sides(Some(DVec2::from(at)));
        let near = (found[0] - left).abs() < 1e-12 && (found[1] - right).abs() < 1e-12;
        assert!(near, "{at:?}: {found:?}");
    }
}

#[test]
fn music_plays_until_it_is_ended_and_takes_the_place_of_other_music() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n += 1; switch this.n {\n\
            2 => world::music(\"calm\", #{ volume: 0.5 }),\n\
            4 => world::music(\"wild\", #{ pitch: 1.5 }),\n\
            6 => world::stop_music(),\n\
            8 => world::music(\"calm\"),\n\
            10 => world::restart(),\n\
            _ => {} } }";
        let folder = with_sounds("calm = \"ping.wav\"\nwild = \"jump.wav\"\n", script);
        let mut game = folder.game();
        let music = |game: &Game| game.live.music().map(|it| (it.name.to_string(), it.volume, it.pitch));
        let calm = |volume| Some(("calm".to_string(), volume, 1.0));
        let wild = Some(("wild".to_string(), 1.0, 1.5));
        let expected =
            [None, calm(0.5), calm(0.5), wild.clone(), wild, None, None, calm(1.0), calm(1.0), calm(1.0), None];
        for (tick, expected) in (1..).zip(expected) {
            game.ticks(1);
            assert_eq!(music(&game), expected, "tick {tick}");
            // It is heard as any sound in the tick that begins it.
            assert_eq!(game.live.heard().len(), usize::from([2, 4, 8].contains(&tick)), "tick {tick}");
        }
        // A change of the script does not end it.
        let mut game = folder.game();
        game.ticks(3);
        folder.write("scripts/hero.rhai", "fn on_tick(me) { }");
        game.live.adopt(Arc::new(folder.open().expect("a good game")));
        game.ticks(2);
        assert_eq!(music(&game), calm(0.5));
    });
}

#[test]
fn the_window_plays_music_while_time_runs_at_normal_speed() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { world::music(\"calm\", 0.5); }";
        let mut case = Case::of(with_sounds("calm = \"ping.wav\"\n", script));
        case.frames(3);
        let volume = |case: &Case| case.bench.music().map(|music| music.volume);
        assert_eq!(volume(&case), Some(0.5));
        assert!(case.bench.take_heard().is_empty(), "it is no sound that plays once");
        for key in [WindowKey::Pause, WindowKey::Mute] {
            case.tap(key);
            assert_eq!(volume(&case), None, "{key:?}");
            case.tap(key);
            assert_eq!(volume(&case), Some(0.5), "{key:?}");
        }
    });
}
