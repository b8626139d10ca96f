//! The game that is played: the playground, and an entity whose script looks for files that do not belong
//! together.

/// Modules that are saved as a group.
pub const GROUP: usize = 5;

/// The level.
pub const LEVEL: &str = "levels/playground.toml";

/// Compares everything that is saved together, in every tick.
pub const KEEPER: &str = r#"import "soak/left" as left;
import "soak/right" as right;
import "soak/zone" as zone;
import "soak/mistake" as mistake;
import "soak/group0" as group0;
import "soak/group1" as group1;
import "soak/group2" as group2;
import "soak/group3" as group3;
import "soak/group4" as group4;

fn on_tick(me) {
    mistake::nothing();
    let l = left::number();
    let r = right::number();
    if l != r || l != left::again() || r != right::again() {
        print(`apart: the pair ${l} ${left::again()} ${r} ${right::again()}`);
    }
    let found = world::zones_at(-190, 690);
    if !(`mark ${zone::number()}` in found) {
        print(`apart: a script and a level ${zone::number()} ${found}`);
    }
    let group = [group0::number(), group1::number(), group2::number(), group3::number(), group4::number()];
    for n in group {
        if n != group[0] {
            print(`apart: the group ${group}`);
            break;
        }
    }
}
"#;

/// A module with a number, at its beginning and its end.
pub fn module(number: u64) -> String {
    let between = "// The file is longer than its first half.\n".repeat(20);
    format!("fn number() {{ {number} }}\n\n{between}\nfn again() {{ {number} }}\n")
}

/// The zone of the level whose name has a number.
pub fn zone(number: u64) -> String {
    format!("\n[[zone]]\nname = \"mark {number}\"\npoints = [[-199, 600], [-150, 600], [-150, 699], [-199, 699]]\n")
}

/// The entity that compares.
pub const ENTITY: &str = "\n[[entity]]\nkind = \"soak_keeper\"\nat = [-100, 900]\n";

/// Its kind.
pub const KIND: &str =
    "script = \"soak/keeper.rhai\"\nbody = { ellipse = [4.0, 4.0] }\n\n[platformer]\ngravity_scale = 0.0\n";

/// The module that has the mistakes.
pub const MISTAKE: &str = "fn nothing() { 0 }\n";
