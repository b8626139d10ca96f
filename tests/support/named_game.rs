//! The game of the tables of wrong scripts.

use crate::folder::Folder;

/// A game with at least one of everything that scripts can name.
pub fn game() -> Folder {
    let folder =
        Folder::with_script("fn on_rung(me, event) { this.n += 1; }\nfn on_jump(me) { world::emit(\"rung\"); }\n");
    folder.write("config/entities/coin.toml", "");
    folder.write(
        "config/entities/a.toml",
        "script = \"a.rhai\"\n\
         vars = { n = 0, wait = 1, next = \"a\", way = 1, grace = 0.1, list = [], home = [0, 0] }\n",
    );
    folder.write("scripts/a.rhai", "");
    folder.write(
        "scripts/lib/tools.rhai",
        "fn walk(me, way) { me.hold(if way > 0 { \"right\" } else { \"left\" }); }\n\
         fn count() { this.n += 1; }\n\
         private fn inner(me) { me.jump(); }\n",
    );
    folder.write(
        "levels/gate.toml",
        "script = \"gate.rhai\"\nvars = { lands = 0, n = 0 }\n\
         [[solid]]\nname = \"door\"\npresent = true\nsurface = \"stone\"\n\
         points = [[0, 0], [9, 0], [9, 9], [0, 9]]\n\
         [[solid]]\nname = \"floor\"\npoints = [[0, 40], [9, 40], [9, 49], [0, 49]]\n\
         [[zone]]\nname = \"water\"\npoints = [[20, 0], [29, 0], [29, 9], [20, 9]]\n",
    );
    folder.write("scripts/gate.rhai", "fn on_land(me, event) { this.lands += 1; }\n");
    folder
}
