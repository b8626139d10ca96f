//! Tests of `src/calls/world_view.rs`.

use super::*;

#[test]
fn a_word_is_found_alone_and_not_in_others() {
    let interest = |text| Interest::of([text].into_iter(), false);
    for text in ["world::all(\"ball\")", "world :: near(0, 0, 9)", "use world, then entity", "world.create x"] {
        assert!(interest(text).reads_others(), "{text}");
    }
    for text in ["world::time(); // falls from a wall", "world::small", "all near entities", "world::nearly_all"] {
        assert!(!interest(text).entities, "{text}");
    }
    let parts = |text| interest(text).parts();
    assert!(parts("me.hook.state").hook && !parts("me.fire_hook(1, 2)").hook);
    for text in ["world::pressed(\"jump\")", "world . axis(\"move\")", "local w = world\nw.held(\"jump\")"] {
        assert!(interest(text).hears_players(), "{text}");
    }
    for text in ["world::tick() + me.held(\"jump\")", "a world that held", "overworld = true; me.axis(\"move\")"] {
        assert!(!interest(text).hears_players(), "{text}");
    }
    // What decides whether rules are due is written for scripts with such rules.
    assert!(parts("fn jump_windows(me) {}").surface && parts("fn model(me) {}").zones);
    assert!(!parts("fn on_tick(me) { me.set_model(\"vessel\"); }").zones);
}
