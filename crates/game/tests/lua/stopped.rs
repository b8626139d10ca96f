//! What is said of a call that has used all its operations: which of its lines have used most of them.

use super::{Folder, lua, on_large_stack};

/// The lines that the message about the first tick of a hero names, with their shares in percent.
fn shares(folder: &Folder) -> Vec<(usize, u32)> {
    let mut game = folder.game();
    let fault = game.ticks(1).faults.first().expect("a fault").diagnostic.headline();
    assert!(fault.contains("this call was stopped after"), "{fault}");
    if !fault.contains(" % of its operations were used") {
        return Vec::new();
    }
    let (_, said) = fault.rsplit_once(['?', ';']).expect("an end of a sentence");
    let share = |part: &str| {
        let (percent, line) = part.trim().split_once(" %").expect("a share");
        (line.rsplit(' ').next().unwrap().parse().expect("a line"), percent.parse().expect("a number"))
    };
    said.split(", ").map(share).collect()
}

/// The same function with these lines in a loop without end, in both languages. Its loop begins at line 2.
fn in_both([rhai, in_lua]: [&[&str]; 2]) -> [Folder; 2] {
    let rhai = format!("fn on_tick(me) {{\nloop {{\n{}\n}}\n}}", rhai.join("\n"));
    let in_lua = format!("function on_tick(me)\nwhile true do\n{}\nend\nend", in_lua.join("\n"));
    [Folder::with_script(&rhai), lua(&in_lua)]
}

#[test]
fn lines_that_do_the_same_have_used_the_same() {
    on_large_stack(|| {
        for count in 2..=3 {
            let rhai = vec!["world::cast(me.x, me.y, me.x + 50.0, me.y);"; count];
            let in_lua = vec!["world.cast(me.x, me.y, me.x + 50, me.y)"; count];
            for folder in in_both([&rhai, &in_lua]) {
                let found = shares(&folder);
                let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
                assert!(found.len() == count && (3..3 + count).all(|line| lines.contains(&line)), "{found:?}");
                for (_, share) in &found {
                    // The rest is the loop's own.
                    assert!(share.abs_diff(100 / count as u32) <= 6, "{count} lines: {found:?}");
                }
            }
        }
    });
}

#[test]
fn the_line_that_is_to_blame_comes_first() {
    on_large_stack(|| {
        let cheap = ["let n = 1;", "for other in world::near(me.x, me.y, 4000.0) { n += 1; }", "n += 1;"];
        let in_lua = ["local n = 1", "for _, it in world.near(me.x, me.y, 4000) do n += 1 end", "n += 1"];
        for folder in in_both([&cheap, &in_lua]) {
            let found = shares(&folder);
            assert!(found[0].0 == 4 && found[0].1 > 60, "{found:?}");
            assert!(found.iter().map(|(_, share)| share).sum::<u32>() <= 100, "{found:?}");
        }
    });
}

#[test]
fn a_call_of_one_line_says_nothing_of_lines() {
    on_large_stack(|| {
        let alone = [
            Folder::with_script("fn on_tick(me) { loop { this.n += 1; } }"),
            lua("function on_tick(me) while true do vars.n += 1 end end"),
        ];
        for folder in alone {
            assert_eq!(shares(&folder), []);
        }
    });
}
