//! Worlds as something to paint: one's own, and other clients'.

use crate::{folder::Folder, session::Session, worlds::counting};
use serde_json::{Value, json};

/// Two clients of a service that lets them watch each other.
fn two_clients(folder: &Folder) -> (Session, Session) {
    let first = Session::with_page(folder.root());
    let second = Session::of(&first.service);
    (first, second)
}

/// The number in `world.list` of the only world of others.
pub fn other_world(session: &mut Session) -> u64 {
    let listed = session.result("world.list", &json!({}));
    let worlds = listed["worlds"].as_array().expect("worlds");
    let mut others = worlds.iter().filter(|world| world["own"] == false);
    let other = others.next().expect("a world of another client");
    assert!(others.next().is_none(), "{listed}");
    other["watched"].as_u64().expect("a number")
}

#[test]
fn a_scene_shows_the_level_once_and_its_bodies_every_time() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let world = session.create();
    let scene = session.result("world.scene", &json!({"world": world}));
    let stage = &scene["stage"];
    assert_eq!((&stage["view"], &stage["tick_hz"]), (&json!("side"), &json!(60)));
    let solids = stage["solids"].as_array().expect("solids");
    let named = |name: &str| solids.iter().find(|solid| solid["name"] == name).expect("a solid");
    let rink = named("rink");
    assert_eq!(rink["surface"], "ice");
    let mut corners = rink["points"].as_array().expect("points").clone();
    corners.sort_by_key(|corner| corner.to_string());
    let mut wanted = json!([[0.0, -100.0], [2000.0, -100.0], [2000.0, 0.0], [0.0, 0.0]]);
    let wanted = wanted.as_array_mut().expect("points");
    wanted.sort_by_key(|corner| corner.to_string());
    assert_eq!(&corners, wanted);
    assert_ne!(rink["fill"], named("floor")["fill"]);
    let known = json!({"world": world, "stage_id": scene["stage_id"]});
    for tick in 1..20 {
        session.result("world.step", &json!({"world": world, "inputs": [{"held": ["right"]}]}));
        let scene = session.result("world.scene", &known);
        let seen = session.result("world.observe", &json!({"world": world}));
        assert_eq!(scene.get("stage"), None);
        let body = &scene["moment"]["bodies"][0];
        assert_eq!((&scene["tick"], &body["name"]), (&json!(tick), &json!("hero")));
        assert_eq!((&body["player"], &body["half"]), (&json!(1), &json!([10.0, 19.0])));
        assert_eq!(body["pos"], seen["entities"][0]["pos"]);
    }
    // Another level file is another stage.
    let level = std::fs::read_to_string(folder.path("levels/level.toml")).expect("a level");
    folder.write("levels/level.toml", &level.replace("[2000, 0]", "[2000, 50]"));
    session.result("world.reload", &json!({"world": world}));
    let scene = session.result("world.scene", &known);
    assert!(scene["stage"]["solids"].to_string().contains("[2000.0,50.0]"), "{scene}");
    assert_eq!(session.error("world.scene", &json!({"world": 9})).0, -32003);
}

#[test]
fn a_scene_shows_platforms_switches_and_zones() {
    let folder = counting();
    let level = std::fs::read_to_string(folder.path("levels/level.toml")).expect("a level");
    folder.write(
        "levels/level.toml",
        &format!(
            "{level}\n[[solid]]\nname = \"lift\"\npoints = [[300, 100], [400, 100], [400, 120], [300, 120]]\n\
             path = {{ points = [[0, 0], [0, 60]], speed = 60 }}\n\
             [[solid]]\nname = \"door\"\npresent = false\npoints = [[500, 0], [520, 0], [520, 90], [500, 90]]\n\
             [[zone]]\nname = \"lake\"\npoints = [[600, 0], [900, 0], [900, 90], [600, 90]]\nconveyor = [30, 0]\n"
        ),
    );
    let mut session = Session::new(&folder);
    let world = session.create();
    session.result("world.step", &json!({"world": world, "ticks": 30}));
    let scene = session.result("world.scene", &json!({"world": world}));
    let (stage, moment) = (&scene["stage"], &scene["moment"]);
    let solids = stage["solids"].as_array().expect("solids");
    let place = |name: &str| {
        let found = solids.iter().position(|solid| solid["name"] == name);
        found.expect("a solid")
    };
    // Half a second at 60 px/s.
    let lift = json!([{"solid": place("lift"), "offset": [0.0, 30.0]}]);
    assert_eq!(moment["platforms"], lift);
    let path = json!([[0.0, 0.0], [0.0, 60.0]]);
    assert_eq!(solids[place("lift")]["path"], path);
    assert_eq!(moment["solids_off"], json!([place("door")]));
    let zone = &stage["zones"][0];
    assert_eq!([&zone["name"], &zone["wet"]], [&json!("lake"), &json!(true)]);
    assert_eq!(zone["conveyor"], json!([30.0, 0.0]));
}

#[test]
fn a_scene_shows_what_scripts_draw_and_no_hidden_bodies() {
    let folder = Folder::with_script(
        "fn on_birth(me) {\n\
           me.text(\"name\", 0, 30, \"Ada\\nB\", #{ size: 2, color: \"#ff0000\" });\n\
           hud::bar(\"health\", -10, 5, 0.25, #{ width: 40, height: 6 });\n\
           world::circle(\"ring\", 5, 6, 7, #{ width: 2 });\n\
           world::line(\"line\", 1, 2, 3, 4);\n\
           me.color = \"#010203\";\n\
         }\n\
         fn on_jump(me, event) { me.visible = false; }",
    );
    let mut session = Session::new(&folder);
    let world = session.create();
    session.result("world.step", &json!({"world": world, "ticks": 30}));
    let moment = &session.result("world.scene", &json!({"world": world}))["moment"];
    assert_eq!(moment["bodies"][0]["fill"], "#010203");
    let drawn = moment["drawn"].as_array().expect("things");
    let wanted = json!([
        {"form": "text", "space": "entity", "text": "Ada\nB", "times": 2, "color": "#ff0000ff", "at": [0.0, 30.0]},
        {"form": "bar", "space": "screen", "share": 0.25, "size": [40.0, 6.0], "at": [-10.0, 5.0], "color": null},
        {"form": "circle", "space": "level", "radius": 7.0, "width": 2.0, "at": [5.0, 6.0]},
        {"form": "line", "space": "level", "to": [3.0, 4.0], "at": [1.0, 2.0]},
    ]);
    let wanted = wanted.as_array().expect("things");
    assert_eq!(drawn.len(), wanted.len());
    for (thing, wanted) in drawn.iter().zip(wanted) {
        assert_eq!(thing["owner"], moment["bodies"][0]["id"]);
        for (member, value) in wanted.as_object().expect("a thing") {
            assert_eq!(&thing[member], value, "{member} of {thing}");
        }
    }
    // A hidden body is not shown, and neither is what it draws at itself.
    let jump = json!({"world": world, "inputs": [{"pressed": ["jump"]}], "ticks": 3});
    session.result("world.step", &jump);
    let moment = &session.result("world.scene", &json!({"world": world}))["moment"];
    assert_eq!(moment["bodies"], json!([]));
    let drawn = moment["drawn"].as_array().expect("things").iter();
    let forms: Vec<&Value> = drawn.map(|one| &one["form"]).collect();
    assert_eq!(forms, ["bar", "circle", "line"]);
}

#[test]
fn the_game_says_which_keys_its_window_has() {
    let folder = counting();
    folder.write(
        "config/hangtime.toml",
        "[keys]\njump = \"KeyJ\"\nwave = \"KeyE\"\npause = \"KeyK\"\n[keys.p2]\nwave = \"KeyU\"\n",
    );
    let mut session = Session::new(&folder);
    let game = &session.result("initialize", &json!({}))["game"];
    let keys = game["keys"].as_array().expect("keys");
    let of = |does: &str, player: Option<u8>| -> Vec<&Value> {
        let player = player.map_or(Value::Null, |player| json!(player));
        keys.iter()
            .filter(|key| key["does"] == does && key["player"] == player)
            .map(|key| &key["key"])
            .collect()
    };
    assert_eq!(of("jump", Some(1)), ["KeyJ"]);
    assert_eq!(of("left", Some(1)), ["ArrowLeft"]);
    assert_eq!((of("wave", Some(1)), of("wave", Some(2))), (vec![&json!("KeyE")], vec![&json!("KeyU")]));
    assert_eq!((of("pause", None), of("restart", None)), (vec![&json!("KeyK")], vec![&json!("KeyR")]));
    for key in keys.iter().filter(|key| !key["player"].is_null()) {
        assert!(game["actions"].as_array().expect("actions").contains(&key["does"]), "{key}");
    }
}

#[test]
fn worlds_are_listed_for_as_long_as_they_last() {
    let folder = counting();
    let (mut first, mut second) = two_clients(&folder);
    let listed = |session: &mut Session| {
        let listed = session.result("world.list", &json!({}));
        let worlds = listed["worlds"].as_array().expect("worlds").clone();
        worlds
            .into_iter()
            .map(|world| {
                assert_eq!(world["level"], "levels/level.toml");
                (world["watched"].as_u64().expect("a number"), world["own"] == true)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(listed(&mut first), []);
    first.create();
    second.create();
    assert_eq!(listed(&mut first), [(1, true), (2, false)]);
    assert_eq!(listed(&mut second), [(1, false), (2, true)]);
    first.result("world.fork", &json!({"world": 1}));
    assert_eq!(listed(&mut second), [(1, false), (2, true), (3, false)]);
    first.error("world.create", &json!({"level": "none"}));
    first.result("world.destroy", &json!({"world": 1}));
    assert_eq!(listed(&mut second), [(2, true), (3, false)]);
    let (code, message, _) = second.error("world.watch", &json!({"watched": 1}));
    assert!(code == -32003 && message.contains("world.list"), "{message}");
    first.finish();
    assert_eq!(listed(&mut second), [(2, true)]);
    assert_eq!(second.error("world.watch", &json!({"watched": 3})).0, -32003);
    // Other clients can only watch a world: its number means nothing in their own requests.
    assert_eq!(second.error("world.step", &json!({"world": 2})).0, -32003);
}

#[test]
fn a_world_that_rests_shows_its_present_tick_again_and_again() {
    let folder = counting();
    let (mut owner, mut watcher) = two_clients(&folder);
    owner.create();
    let watched = other_world(&mut watcher);
    let mut ticks = 0;
    for step in [0, 1, 30, 7] {
        owner.result("world.step", &json!({"world": 1, "ticks": step}));
        ticks += step;
        let seen = owner.result("world.scene", &json!({"world": 1}));
        for _ in 0..3 {
            let shown = watcher.result("world.watch", &json!({"watched": watched}));
            assert_eq!(shown["tick"], ticks);
            assert_eq!(shown, seen);
        }
    }
    let snapshot = owner.result("world.snapshot", &json!({"world": 1}));
    owner.result("world.step", &json!({"world": 1, "ticks": 10}));
    owner.result("world.restore", &json!({"world": 1, "snapshot": snapshot["snapshot"]}));
    let shown = watcher.result("world.watch", &json!({"watched": watched}));
    assert_eq!(shown["tick"], ticks);
}

#[test]
fn a_world_is_seen_in_the_middle_of_a_step_and_plays_as_if_it_were_not() {
    let folder = counting();
    let (mut owner, mut watcher) = two_clients(&folder);
    owner.create();
    let watched = other_world(&mut watcher);
    let ticks = 200_000;
    let step = json!({"world": 1, "ticks": ticks});
    let message = json!({"jsonrpc": "2.0", "id": "step", "method": "world.step", "params": step});
    owner.send(&message.to_string());
    let mut seen = Vec::new();
    while seen.last().is_none_or(|last| *last < ticks) {
        let shown = watcher.result("world.watch", &json!({"watched": watched}));
        seen.push(shown["tick"].as_u64().expect("a tick"));
    }
    assert!(seen.is_sorted());
    assert!(seen.iter().any(|tick| (1..ticks).contains(tick)), "{seen:?}");
    let end = owner.read();
    owner.create();
    let alone = owner.result("world.step", &json!({"world": 2, "ticks": ticks}));
    assert_eq!(end["result"]["hash"], alone["hash"]);
}

#[test]
fn a_client_that_watches_and_does_not_read_holds_up_no_one() {
    let folder = counting();
    let (mut owner, mut watcher) = two_clients(&folder);
    owner.create();
    let watched = other_world(&mut watcher);
    let watch = json!({"jsonrpc": "2.0", "id": 1, "method": "world.watch", "params": {"watched": watched}});
    // Fewer than may wait, so that sending them does not.
    for _ in 0..200 {
        watcher.send(&watch.to_string());
    }
    for _ in 0..300 {
        owner.result("world.step", &json!({"world": 1, "ticks": 10}));
    }
    let mut third = Session::of(&owner.service);
    let shown = third.result("world.watch", &json!({"watched": watched}));
    assert_eq!(shown["moment"]["bodies"][0]["name"], "hero");
    // What is open is canceled, and answered.
    let cancel = json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}});
    watcher.send(&cancel.to_string());
    for _ in 0..200 {
        let answer = watcher.read();
        let canceled = answer["error"]["code"] == -32800;
        assert!(canceled || answer["result"]["tick"].is_u64(), "{answer}");
    }
}
