//! The same game in both languages: every tick has the same hash.

use super::{Folder, lua, on_large_stack};

/// A game whose hero has this script in Rhai, and the same variables.
fn rhai(script: &str) -> Folder {
    let folder = Folder::with_script(script);
    folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0, speed = 0.0 }\n");
    folder
}

/// Plays both for some ticks, and compares their worlds after each.
fn assert_alike(of_rhai: &str, of_lua: &str) {
    on_large_stack(|| {
        let (mut rhai, mut lua) = (rhai(of_rhai).game(), lua(of_lua).game());
        let start = rhai.live.world().hash();
        for tick in 0..40 {
            rhai.ticks(1);
            lua.ticks(1);
            for game in [&rhai, &lua] {
                assert!(game.faults.is_empty(), "{of_lua}: {}", game.faults[0].render(false));
            }
            assert_eq!(rhai.printed, lua.printed, "{of_lua}");
            let (a, b) = (rhai.live.world(), lua.live.world());
            let vars = [a, b].map(|world| format!("{:?}", world.entities()[0].vars.0.to_plain()));
            assert_eq!(vars[0], vars[1], "{of_lua}: tick {tick}");
            assert_eq!(a.hash(), b.hash(), "{of_lua}: tick {tick}");
        }
        assert_ne!(start, rhai.live.world().hash());
    });
}

#[test]
fn orders_and_properties_do_the_same() {
    for (of_rhai, of_lua) in [
        ("fn on_tick(me) { me.hold(\"right\"); }", "function on_tick(me) me.hold('right') end"),
        (
            "fn on_tick(me) { me.push(world::random() * 90.0, me.x * -0.5); }",
            "function on_tick(me) me:push(world.random() * 90, me.x * -0.5) end",
        ),
        ("fn on_tick(me) { me.vel.x = 300; }", "function on_tick(me) me.vel.x = 300 end"),
        (
            "fn on_tick(me) { me.vel.x += 10; me.vel.y *= 0.5; }",
            "function on_tick(me) me.vel.x += 10; me.vel.y *= 0.5 end",
        ),
        (
            "fn on_tick(me) { me.vel = vec(3, 4).rotated(0.5) * 20 + vec(1, 2).normalized(); }",
            "function on_tick(me) me.vel = vec(3, 4):rotated(0.5) * 20 + vec(1, 2):normalized() end",
        ),
        (
            "fn on_tick(me) { if world::tick() % 8 == 0 { me.jump(); } }",
            "function on_tick(me) if world.tick() % 8 == 0 then me.jump() end end",
        ),
        (
            "fn on_tick(me) { me.after(0.05, \"later\"); } fn on_later(me) { this.n += 1; }",
            "function on_tick(me) me.after(0.05, 'later') end function on_later(me) vars.n += 1 end",
        ),
        (
            "fn on_birth(me) { me.tune(\"platformer.jump_speed\", 300); } fn on_tick(me) { me.jump(); }",
            "function on_birth(me) me.tune('platformer.jump_speed', 300) end function on_tick(me) me.jump() end",
        ),
        (
            "fn on_tick(me) { me.place(world::entity(\"hero\").x + 3, 60); }",
            "function on_tick(me) me.place(world.entity('hero').x + 3, 60) end",
        ),
    ] {
        assert_alike(of_rhai, of_lua);
    }
}

#[test]
fn events_and_rules_are_the_same() {
    for (of_rhai, of_lua) in [
        (
            "fn on_tick(me) { me.hold(\"right\"); } fn on_land(me, event) { this.speed = event.speed; print(event.surface); }",
            "function on_tick(me) me.hold('right') end function on_land(me, event) vars.speed = event.speed; print(event.surface) end",
        ),
        (
            "fn model(me) { if me.x > -190 { \"two_velocity\" } } fn on_tick(me) { me.hold(\"right\"); }",
            "function model(me) if me.x > -190 then return 'two_velocity' end end function on_tick(me) me.hold('right') end",
        ),
        (
            "fn jump_windows(me) { #{ coyote_time: 0.15, jump_buffer: 0 } } fn on_tick(me) { me.hold(\"right\"); me.jump(); }",
            "function jump_windows(me) return { coyote_time = 0.15, jump_buffer = 0 } end function on_tick(me) me.hold('right') me.jump() end",
        ),
        (
            "fn on_tick(me) { world::emit(\"alarm\", #{ at: vec(1, 2), loud: [true, 3, 0.5, \"x\"] }); } \
             fn on_alarm(me, event) { this.n += event.data.loud[1]; this.speed = event.data.at.y; }",
            "function on_tick(me) world.emit('alarm', { at = vec(1, 2), loud = { true, 3, 0.5, 'x' } }) end \
             function on_alarm(me, event) vars.n += event.data.loud[2]; vars.speed = event.data.at.y end",
        ),
    ] {
        assert_alike(of_rhai, of_lua);
    }
}

#[test]
fn variables_keep_the_kind_of_number_that_their_file_gave_them() {
    for (of_rhai, of_lua) in [
        ("fn on_tick(me) { this.n += 1; this.speed += 1; }", "function on_tick(me) vars.n += 1 vars.speed += 1 end"),
        ("fn on_tick(me) { this.n += 0.5; }", "function on_tick(me) vars.n += 0.5 end"),
        (
            "fn on_tick(me) { this.fresh = 3; this.half = 1.5; this.at = me.vel; }",
            "function on_tick(me) vars.fresh = 3 vars.half = 1.5 vars.at = me.vel end",
        ),
        (
            "fn on_tick(me) { if world::tick() == 0 { this.list = [1, 2.25, #{ a: true }]; } this.list[0] += 2; this.list[1] += 0.5; }",
            "function on_tick(me) if world.tick() == 0 then vars.list = { 1, 2.25, { a = true } } end vars.list[1] += 2 vars.list[2] += 0.5 end",
        ),
    ] {
        assert_alike(of_rhai, of_lua);
    }
}

#[test]
fn a_variable_that_changes_from_0_to_minus_0_asks_the_rules_again() {
    assert_alike(
        "fn on_tick(me) { this.speed = if world::tick() < 8 { 0.0 } else { -0.0 }; me.hold(\"right\"); } \
         fn model(me) { if world::tick() > 3 { \"two_velocity\" } }",
        "function on_tick(me) vars.speed = if world.tick() < 8 then 0.0 else -0.0 me.hold('right') end \
         function model(me) if world.tick() > 3 then return 'two_velocity' end end",
    );
}

#[test]
fn a_whole_variable_that_becomes_minus_0_stays_whole() {
    assert_alike(
        "fn on_tick(me) { this.n = this.n * -4; me.hold(\"right\"); }",
        "function on_tick(me) vars.n = vars.n * -4 me.hold('right') end",
    );
}

#[test]
fn mathematics_is_the_cores() {
    assert_alike(
        "fn on_tick(me) { let x = world::time() * 3.7; me.push(sin(x) * 40 + exp(-x) + hypot(x, 2.5) + atan2(x, 2.0), pow(x, 1.3) + ln(x + 1)); }",
        "function on_tick(me) local x = world.time() * 3.7 \
         me.push(math.sin(x) * 40 + math.exp(-x) + math.hypot(x, 2.5) + math.atan2(x, 2), math.pow(x, 1.3) + math.log(x + 1)) end",
    );
}

#[test]
fn a_world_of_one_language_loads_in_the_other() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n += 1; me.hold(\"right\"); }";
        let of_lua = "function on_tick(me) vars.n += 1 me.hold('right') end";
        let (mut first, mut second) = (rhai(script).game(), lua(of_lua).game());
        first.ticks(10);
        second.live.restore(first.live.world().clone());
        first.ticks(10);
        second.ticks(10);
        assert_eq!(first.live.world().hash(), second.live.world().hash());
    });
}
