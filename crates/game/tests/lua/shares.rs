//! The same mistakes in both languages: how many get a good answer.
//!
//! An answer is good if file, line, column and all of the caret are in what is wrong, and if it names what to write instead.

use super::{lua, on_large_stack};
use crate::folder::Folder;
use hangtime_game::check;
use hangtime_script::{Diagnostic, calls::ForeignCalls};

/// The code of `on_tick` with `§` on both sides of what is wrong, and a part of the answer: in Rhai, and in Lua.
type Pair = [(&'static str, &'static str); 2];

#[rustfmt::skip]
const PAIRS: &[Pair] = &[
    // Names of other engines.
    [("me.§kill§();", "`me.remove()`"), ("me:§kill§()", "`me.remove()`")],
    [("let gone = me.§destroy§;", "`me.remove()`"), ("local gone = me.§destroy§", "`me.remove()`")],
    [("world::entity(\"hero\").§queue_free§();", "`me.remove()`"), ("world.entity('hero'):§queue_free§()", "`me.remove()`")],
    [("if me.§hp§ < 1 { me.jump(); }", "`this.hp`"), ("if me.§hp§ < 1 then me:jump() end", "`vars.hp`")],
    [("me.§score§ = 3;", "`this.score`"), ("me.§score§ = 3", "`vars.score`")],
    [("me.§gravity§ = -1;", "me.tune("), ("me.§gravity§ = -1", "me.tune(")],
    [("me.§gravity§(2);", "me.tune("), ("me:§gravity§(2)", "me.tune(")],
    [("me.§scale§ = 2;", "`me.sprite`"), ("me.§scale§ = 2", "`me.sprite`")],
    [("me.§velocity§.x = 3;", "`vel`"), ("me.§velocity§.x = 3", "`vel`")],
    [("if me.§is_on_floor§() { me.jump(); }", "`me.grounded`"), ("if me:§is_on_floor§() then me:jump() end", "`me.grounded`")],
    [("me.§apply_impulse§(1, 2);", "`me.push(x, y)`"), ("me:§apply_impulse§(1, 2)", "`me.push(x, y)`")],
    [("let d = me.§distance_to§(world::entity(\"hero\"));", "vec(me.x, me.y).distance("), ("local d = me:§distance_to§(world.entity('hero'))", "vec(me.x, me.y).distance(")],
    [("let v = §Vector2§(1, 2);", "`vec(x, y)`"), ("local v = §Vector2§(1, 2)", "`vec(x, y)`")],
    [("let n = §rand§();", "`world::random()`"), ("local n = §rand§()", "`world.random()`")],
    [("§sleep§(1);", "`me.after(seconds,"), ("§sleep§(1)", "`me.after(seconds,")],
    [("§instantiate§(\"hero\");", "`world::create("), ("§instantiate§('hero')", "`world.create(")],
    [("this.n = §dt§ * 2;", "`world::dt()`"), ("vars.n = §dt§ * 2", "`world.dt()`")],
    [("§console§.log(1);", "`print(…)`"), ("§console§.log(1)", "`print(…)`")],
    [("§self§.n = 1;", "`this`"), ("§self§.n = 1", "`vars`")],
    [("if §Input§.held { me.jump(); }", "`me.held(action)`"), ("if §Input§.held then me:jump() end", "`me.held(action)`")],
    [("this.n = §None§;", "`()`"), ("vars.n = §None§", "`nil`")],
    [("this.n = §True§;", "`true`"), ("vars.n = §True§", "`true`")],
    [("this.n = §Math§.sin(1);", "`sin("), ("vars.n = §Math§.sin(1)", "`math.sin(")],
    // Misspelled names.
    [("me.§jmup§();", "jump"), ("me:§jmup§()", "jump")],
    [("if me.§gronded§ { me.jump(); }", "`grounded`"), ("if me.§gronded§ then me:jump() end", "`grounded`")],
    [("world::§emitt§(\"x\");", "`world::emit`"), ("world.§emitt§('x')", "`emit`")],
    [("hud::§txt§(\"a\", 0, 0, \"b\");", "`hud::text`"), ("hud.§txt§('a', 0, 0, 'b')", "`text`")],
    [("let speed = 3; me.push(§sped§, 0);", "`speed`"), ("local speed = 3; me:push(§sped§, 0)", "`speed`")],
    [("§prinnt§(1);", "`print`"), ("§prinnt§(1)", "`print`")],
    [("let h = world::entity(\"hero\"); this.n = h.§gronded§;", "`grounded`"), ("local h = world.entity('hero'); vars.n = h.§gronded§", "`grounded`")],
    [("me.vel.§lenght§ = 3;", "`length`"), ("me.vel.§lenght§ = 3", "`length`")],
    [("me.hold(§\"rihgt\"§);", "`right`"), ("me:hold(§'rihgt'§)", "`right`")],
    [("if me.held(§\"jmp\"§) { me.jump(); }", "`jump`"), ("if me:held(§'jmp'§) then me:jump() end", "`jump`")],
    [("me.set_model(§\"platfrmer\"§);", "`platformer`"), ("me:set_model(§'platfrmer'§)", "`platformer`")],
    [("me.tune(§\"platformer.jump_sped\"§, 1);", "`jump_speed`"), ("me:tune(§'platformer.jump_sped'§, 1)", "`jump_speed`")],
    [("me.color = §\"rde\"§;", "`red`"), ("me.color = §'rde'§", "`red`")],
    [("hud::text(\"a\", 1, 2, \"x\", #{ §colr§: \"red\" });", "`color`"), ("hud.text('a', 1, 2, 'x', { §colr§ = 'red' })", "`color`")],
    [("world::create(\"hero\", 50, 50, #{ §vle§: vec(1, 2) });", "`vel`"), ("world.create('hero', 50, 50, { §vle§ = vec(1, 2) })", "`vel`")],
    [("world::create(\"hero\", 50, 50, #{ §lives§: 3 });", "`vars`"), ("world.create('hero', 50, 50, { §lives§ = 3 })", "`vars`")],
    [("world::create(§\"hreo\"§, 50, 50);", "`hero`"), ("world.create(§'hreo'§, 50, 50)", "`hero`")],
    // Arguments.
    [("me.§push§(3);", "`me.push(x, y)`"), ("me:§push§(3)", "2 arguments")],
    [("me.§push§(\"3\", 0);", "`me.push(x, y)`"), ("me:§push§('3', 0)", "must be a number")],
    [("world::§random§(3);", "`world::random(low, high)`"), ("world.§random§(3)", "0 or 2 arguments")],
    [("hud::§text§(true);", "`hud::text(name, x, y, text)`"), ("hud.§text§(true)", "4 or 5 arguments")],
    [("world::create(\"hero\", 50, 50, #{ facing: §\"left\"§ });", "must be a number"), ("world.create('hero', 50, 50, { facing = §'left'§ })", "must be a number")],
    [("world::circle(\"a\", 1, 2, 3, #{ width: §5000§ });", "`width`"), ("world.circle('a', 1, 2, 3, { width = §5000§ })", "`width`")],
    // Values.
    [("me.§x§ = 5;", "`me.place(x, y)`"), ("me.§x§ = 5", "`me.place(x, y)`")],
    [("me.§vel = 5§;", "must be a vec"), ("me.§vel = 5§", "must be a vec")],
    [("me.§vel.x§ = 1.0 / 0.0;", "inf"), ("me.§vel.x§ = 1 / 0", "inf")],
    [("me.§facing = 0§;", "1 or -1"), ("me.§facing = 0§", "1 or -1")],
    [("world::§entity(\"hero\").vel§ = vec(1, 2);", "`me`"), ("world.§entity('hero').vel§ = vec(1, 2)", "`me`")],
    [("let v = me.vel §+§ 3;", "vec"), ("local v = me.vel §+§ 3", "vec")],
    [("let a = (); a.§b§ = 1;", "`b`"), ("local a = nil; a.§b§ = 1", "`b`")],
    [("this.friend = world::§entity§(\"hero\");", "an entity"), ("vars.§friend§ = world.entity('hero')", "an entity")],
    [("§for n in me.x§ { print(n); }", "0..3"), ("§for n in me.x§ do print(n) end", "i = 1, 3")],
    [("let n = [1].§size§();", "`.len()`"), ("local n = ({ 1 }):§size§()", "`#")],
    [("let n = \"abc\".§count§();", "`.len()`"), ("local n = ('abc'):§count§()", "`#")],
    [("let f = 3;\n    §f()§;", "`f.call(…)`"), ("local f = 3\n    §f()§", "a number")],
    [("this.n = §count§ + 1;", "`count`"), ("vars.n = §count§ + 1", "`count`")],
    [("let s = §\"n: \" .. 3§;", "`+`"), ("local s = §'n: ' + 'a'§", "`..`")],
];

/// The script of a game, with what is wrong in it.
struct Mistake {
    text: String,
    span: std::ops::Range<usize>,
    said: &'static str,
}

impl Mistake {
    fn of([before, after]: [&str; 2], (code, said): (&str, &'static str)) -> Self {
        let marked = format!("{before}\n    {code}\n{after}\n");
        let at: Vec<usize> = marked.match_indices('§').map(|(at, _)| at).collect();
        let [begin, end] = at[..] else { panic!("two marks in {code}") };
        Self { text: marked.replace('§', ""), span: begin..end - '§'.len_utf8(), said }
    }

    /// Whether one of some messages is a good answer.
    fn is_answered(&self, found: &[Diagnostic], file: &str) -> bool {
        found.iter().any(|found| {
            let place = found.place.as_ref();
            let is_here = place.is_some_and(|place| {
                let is_inside = self.span.start <= place.span.start && place.span.end <= self.span.end;
                place.file.name == file && is_inside && !place.span.is_empty()
            });
            is_here && found.headline().contains(self.said)
        })
    }
}

/// What opening the game and its first ticks say.
fn said_by_the_game(folder: &Folder) -> Vec<Diagnostic> {
    match folder.open() {
        Err(wrong) => wrong,
        Ok(_) => {
            let mut game = folder.game();
            game.ticks(2);
            game.faults.iter().map(|fault| fault.diagnostic.clone()).collect()
        }
    }
}

#[test]
fn mistakes_in_lua_get_as_many_good_answers_as_the_same_ones_in_rhai() {
    on_large_stack(|| {
        let (mut good, mut poor) = ([[0; 3]; 2], [String::new(), String::new()]);
        for pair in PAIRS {
            let mistakes = [
                Mistake::of(["fn on_tick(me) {", "}"], pair[0]),
                Mistake::of(["function on_tick(me)", "end"], pair[1]),
            ];
            let folders = [Folder::with_script(&mistakes[0].text), lua(&mistakes[1].text)];
            for (language, (mistake, folder)) in mistakes.iter().zip(&folders).enumerate() {
                let file = ["scripts/hero.rhai", "scripts/hero.luau"][language];
                let checked = check(folder.root(), &[], &ForeignCalls::none()).expect("a game").diagnostics;
                let said = [checked, said_by_the_game(folder)];
                let [check, game] = said.each_ref().map(|found| mistake.is_answered(found, file));
                for (count, is_good) in good[language].iter_mut().zip([check, game, check || game]) {
                    *count += u32::from(is_good);
                }
                for (by, is_good, found) in [("check", check, &said[0]), ("game", game, &said[1])] {
                    if !is_good {
                        let found: Vec<String> = found.iter().map(Diagnostic::headline).collect();
                        poor[language] += &format!("{by}: {}\n  {found:?}\n", pair[language].0);
                    }
                }
            }
        }
        let all = PAIRS.len();
        let share =
            |[check, game, any]: [u32; 3]| format!("check {check}, the game {game}, one of them {any} of {all}");
        println!("good answers\n  Rhai: {}\n  Lua:  {}", share(good[0]), share(good[1]));
        println!("poor in Rhai:\n{}\npoor in Lua:\n{}", poor[0], poor[1]);
        // `check` follows types in Rhai alone, so it finds more there.
        let fewer = (1..3).any(|by| good[1][by] < good[0][by]);
        assert!(!fewer, "in Lua, {:?} get good answers, in Rhai {:?}\n{}", good[1], good[0], poor[1]);
    });
}
