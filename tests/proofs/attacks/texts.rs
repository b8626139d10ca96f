//! Files that are hard to read, or hard to explain.

use super::Attack;

const LEVEL: &str = "[[solid]]\npoints=[[0,0],[100,0],[100,10],[0,10]]\n\
    [[entity]]\nkind=\"one\"\nat=[10,40]\nplayer=1\n";

fn level(name: &str, text: impl Fn() -> String + Send + 'static) -> Attack {
    Attack::new(name, move |game| {
        game.write("levels/level.toml", format!("{LEVEL}{}", text()));
    })
}

fn script(name: &str, text: impl Fn() -> String + Send + 'static) -> Attack {
    Attack::new(name, move |game| game.write("scripts/one.rhai", text()))
}

/// A function with this body.
fn body(text: &str) -> String {
    format!("fn on_tick(me) {{ {text} }}\n")
}

pub fn attacks() -> Vec<Attack> {
    let mut all = messages();
    all.extend(nested());
    all.extend(large());
    all
}

fn messages() -> Vec<Attack> {
    let inputs = |name: &str, text: fn() -> String| {
        Attack::new(name, move |game| {
            game.write("levels/level.toml", format!("demo=\"a.input\"\n{LEVEL}"));
            game.write("levels/a.input", text());
        })
    };
    vec![
        level("key of 31,000 letters", || "x".repeat(31_000) + "=1\n"),
        level("kind of 31,000 letters", || format!("[[entity]]\nkind=\"{}\"\nat=[1,1]\n", "x".repeat(31_000))),
        script("call of 31,000 letters", || body(&("x".repeat(31_000) + "();"))),
        script("100 calls of 600 letters", || body(&("x".repeat(600) + "();\n").repeat(100))),
        script("field of 31,000 letters", || body(&format!("me.{};", "x".repeat(31_000)))),
        script("4,000 unknown calls", || body(&(0..4_000).map(|i| format!("unknown_{i}();\n")).collect::<String>())),
        script("5,000 unknown variables", || body(&(0..5_000).map(|i| format!("let a=x{i};\n")).collect::<String>())),
        script("20,000 faults in a tick", || {
            "fn on_tick(me) { for i in 0..20000 { me.after(0.001, \"x\"); } } fn on_x(me) { this.a.b; }".into()
        }),
        Attack::new("20,000 unknown keys", |game| {
            let keys = (0..20_000).map(|i| format!("k{i}=1\n"));
            game.write("levels/level.toml", keys.collect::<String>() + LEVEL);
        }),
        level("15,000 warnings", || {
            (0..15_000)
                .map(|i| format!("[[solid]]\ntop=1\npoints=[[{0},100],[{0}.9,100],[{0}.9,110]]\n", i * 3))
                .collect()
        }),
        inputs("100,000 bad lines of input", || "foo bar\n".repeat(100_000)),
        inputs("1 MB of input", || "1 right\n".repeat(120_000)),
        inputs("input of 10^18 ticks", || "1e18 right\n0.0000001s left\n99999999s jump\n".into()),
    ]
}

fn nested() -> Vec<Attack> {
    let open =
        |what: &'static str| script(&format!("60 KB of `{what}`"), move || body(&what.repeat(60_000 / what.len())));
    let mut all: Vec<Attack> = ["#{a:", "[", "(", "{", "|x|", "!", "- ", "/*", "`${", "if x {", "1+", "a.b."]
        .map(open)
        .into();
    all.push(script("`switch` in `switch`", || {
        let mut text = "0".to_string();
        for _ in 0..18 {
            text = format!("switch x {{ 1|2|3|4|5|6|7|8 => {text} }}");
        }
        body(&format!("let x = 1; {text}"))
    }));
    all.push(level("arrays nested 100,000 deep", || {
        format!("[vars]\na={}{}\n", "[".repeat(100_000), "]".repeat(100_000))
    }));
    all.push(level("key of 1 MB of dots", || format!("0{}=1\n", ".b".repeat(480_000))));
    all.push(Attack::new("80,000 headers of five names, in four files", |game| {
        for name in ["levels/level.toml", "config/surfaces.toml", "config/hangtime.toml", "config/entities/one.toml"] {
            game.write(name, (0..66_000).map(|i| format!("[a{i}.b.c.d.e]\n")).collect::<String>());
        }
    }));
    all.push(level("key with 100,000 dots", || format!("[vars]\na{}=1\n", ".a".repeat(100_000))));
    all
}

fn large() -> Vec<Attack> {
    vec![
        script("`switch` with 5,000 labels", || {
            let labels: String = (0..5_000).map(|i| format!("{i} => 1,\n")).collect();
            body(&format!("switch this.n {{ {labels} _ => 2 }}"))
        }),
        script("2,500 imports", || (0..2_500).map(|i| format!("import \"x\" as a{i};\n")).collect()),
        script("4,000 functions", || (0..4_000).map(|i| format!("fn f{i}() {{ }}\n")).collect()),
        script("4,000 constants", || (0..4_000).map(|i| format!("const C{i} = {i};\n")).collect()),
        script("map with 6,000 keys", || {
            let keys: String = (0..6_000).map(|i| format!("k{i}: 1,")).collect();
            body(&format!("let m = #{{ {keys} }};"))
        }),
        script("list with 28,000 numbers", || body(&format!("let m = [{}];", "1,".repeat(28_000)))),
        script("line of 60 KB", || body(&"this.n+=1;".repeat(5_500))),
        script("name of 60 KB", || body(&format!("let {} = 1;", "x".repeat(60_000)))),
        level("text of 1 MB", || format!("name = \"{}\"\n", "x".repeat(990_000))),
        level("100,000 tables", || (0..100_000).map(|i| format!("[t{i}]\n")).collect()),
        level("variables of 1 MB", || {
            let keys = (0..80_000).map(|i| format!("k{i} = 1\n"));
            format!("[vars]\n{}", keys.collect::<String>())
        }),
    ]
}
