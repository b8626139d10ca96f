//! How many values scripts keep.

use crate::folder::{Folder, on_large_stack};
use hangtime::sim::{MOST_KEPT, Value};

#[test]
fn many_scripts_may_keep_the_same_name_in_one_tick() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { for n in 0..300 { world::keep(\"seen\", n); } }";
        let mut game = Folder::with_script(script).game();
        game.ticks(2);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.live.world().kept().get("seen"), Some(&Value::Int(299)));
    });
}

#[test]
fn a_name_that_is_forgotten_makes_room_in_the_same_tick() {
    on_large_stack(|| {
        let script = format!(
            "fn on_tick(me) {{ this.n += 1;\n\
             if this.n == 1 {{ for n in 0..{MOST_KEPT} {{ world::keep(`k${{n}}`, n); }} }}\n\
             if this.n == 2 {{ world::keep(\"unknown\", ()); world::keep(\"k7\", ()); world::keep(\"other\", 1); }}\n\
             if this.n == 3 {{ world::keep(\"more\", 1); }} }}"
        );
        let mut game = Folder::with_script(&script).game();
        game.ticks(2);
        assert_eq!(game.wrong(), [""; 0]);
        let kept = game.live.world().kept().clone();
        assert_eq!((kept.len(), kept.get("k7")), (MOST_KEPT, None));
        assert_eq!(kept.get("other"), Some(&Value::Int(1)));
        game.ticks(1);
        assert_eq!(game.wrong().len(), 1, "{:?}", game.wrong());
        assert_eq!(game.live.world().kept(), &kept);
    });
}

#[test]
fn what_a_failed_call_has_kept_leaves_room_for_others() {
    on_large_stack(|| {
        let script = format!(
            "fn on_birth(me) {{ for n in 0..{MOST_KEPT} {{ world::keep(`a${{n}}`, n); }} throw \"no\"; }}\n\
             fn on_tick(me) {{ if world::tick() == 0 {{ for n in 0..{MOST_KEPT} {{ world::keep(`b${{n}}`, n); }} }} }}"
        );
        let mut game = Folder::with_script(&script).game();
        game.ticks(1);
        assert_eq!(game.wrong().len(), 1, "{:?}", game.wrong());
        let kept = game.live.world().kept();
        assert_eq!((kept.len(), kept.get("a0")), (MOST_KEPT, None));
    });
}
