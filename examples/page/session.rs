//! What a person does on the page.

use crate::{
    browser::Browser,
    game::{Game, Program},
};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The page in a browser.
pub struct Session {
    browser: Browser,
    pictures: PathBuf,
}

type Outcome = Result<(), String>;

const CONNECTED: &str = "window.hangtime && hangtime.state === 'connected' && hangtime.world !== null";

fn check(holds: bool, what: &str) -> Outcome {
    match holds {
        true => Ok(()),
        false => Err(what.to_string()),
    }
}

impl Session {
    /// A browser without a page, and where its pictures go.
    pub fn new(browser: Browser, pictures: &Path) -> Self {
        Self { browser, pictures: pictures.into() }
    }

    fn picture(&mut self, name: &str) -> Outcome {
        let path = self.pictures.join(format!("{name}.png"));
        self.browser.picture(&path)
    }

    /// Waits for this many ticks from now on.
    fn ticks(&mut self, count: u32) -> Outcome {
        let now = self.browser.number("hangtime.tick")?;
        let wanted = format!("hangtime.tick >= {}", now + f64::from(count));
        self.browser.wait("the world stands still", &wanted)
    }

    /// Opens a level and takes a picture of it after two seconds.
    pub fn show(&mut self, url: &str, level: &str) -> Outcome {
        self.browser.open(&format!("{url}#level={level}"))?;
        self.browser.wait("no world", CONNECTED)?;
        self.browser.key("ArrowRight", true)?;
        self.ticks(90)?;
        self.picture(&level.replace('/', "-"))?;
        self.browser.key("ArrowRight", false)
    }

    /// The world runs at its rate, and keys move the hero.
    pub fn plays(&mut self, program: &Program) -> Outcome {
        let url = format!("{}#level=playground", program.url);
        self.browser.open(&url)?;
        self.browser.wait("no world", CONNECTED)?;
        self.ticks(30)?;
        let (tick, since) = (self.browser.number("hangtime.tick")?, Instant::now());
        self.ticks(120)?;
        let made = self.browser.number("hangtime.tick")? - tick;
        let rate = made / since.elapsed().as_secs_f64();
        println!("{rate:.1} ticks a second");
        // It cannot be quicker than the clock; how much slower depends on the machine.
        check(rate < 70.0, "the world runs too fast")?;
        let x = self.browser.number("hangtime.x")?;
        self.browser.key("ArrowRight", true)?;
        let wanted = format!("hangtime.x > {}", x + 100.0);
        self.browser.wait("the key does not move the hero", &wanted)?;
        let y = self.browser.number("hangtime.y")?;
        self.browser.key("Space", true)?;
        let wanted = format!("hangtime.y > {}", y + 30.0);
        self.browser.wait("the hero does not jump", &wanted)?;
        self.picture("playing")?;
        self.browser.key("Space", false)?;
        // Switching to another window releases all keys.
        self.browser.value("window.dispatchEvent(new Event('blur'))")?;
        self.ticks(120)?;
        let x = self.browser.number("hangtime.x")?;
        self.ticks(30)?;
        let moved = self.browser.number("hangtime.x")? - x;
        check(moved.abs() < 1e-9, "the hero walks without a key")?;
        self.browser.key("ArrowRight", false)
    }

    /// Pause, step, speed, marks and restart.
    pub fn controls_work(&mut self) -> Outcome {
        let browser = &mut self.browser;
        browser.tap("KeyP")?;
        browser.wait("it does not pause", "document.getElementById('pause').textContent === 'Resume'")?;
        std::thread::sleep(Duration::from_millis(300));
        let tick = browser.number("hangtime.tick")?;
        std::thread::sleep(Duration::from_millis(300));
        check(browser.number("hangtime.tick")? == tick, "a paused world moves")?;
        browser.tap("Period")?;
        browser.wait("no single step", &format!("hangtime.tick === {}", tick + 1.0))?;
        let click = |id: &str| format!("document.getElementById('{id}').click()");
        browser.value(&click("mark_a"))?;
        let back = "!document.getElementById('restart_at_mark').disabled";
        browser.wait("no mark", back)?;
        let x = browser.number("hangtime.x")?;
        browser.tap("KeyP")?;
        browser.key("ArrowLeft", true)?;
        browser.wait("the hero stays", &format!("hangtime.x < {}", x - 50.0))?;
        browser.key("ArrowLeft", false)?;
        browser.tap("KeyP")?;
        std::thread::sleep(Duration::from_millis(300));
        browser.value(&click("restart_at_mark"))?;
        let same = format!("hangtime.x === {x} && hangtime.tick === {}", tick + 1.0);
        browser.wait("it does not go back to the mark", &same)?;
        browser.tap("KeyP")?;
        browser.tap("KeyR")?;
        browser.wait("it does not restart", &format!("hangtime.tick < {tick} && {CONNECTED}"))?;
        self.ticks(30)
    }

    /// A mistake in a script shows, and so does its mend.
    pub fn reloads(&mut self, game: &Game) -> Outcome {
        let script = "scripts/hero.rhai";
        game.edit(script, |text| format!("{text}\nfn on_tick( {{\n"))?;
        let reload = "document.getElementById('reload').click()";
        let messages = "document.getElementById('messages').textContent";
        self.browser.value(reload)?;
        let shown = format!("{messages}.includes('{script}')");
        self.browser.wait("the mistake does not show", &shown)?;
        self.picture("mistake")?;
        game.edit(script, |text| text.replace("\nfn on_tick( {\n", "\n// Mended.\n"))?;
        self.browser.value(reload)?;
        let shown = format!("{messages}.includes('Reloaded')");
        self.browser.wait("the mend does not show", &shown)?;
        let over = format!("!{messages}.includes('error:') && {messages}.includes('only comments or spaces changed')");
        self.browser.wait("the mistake still shows, or what has changed does not", &over)?;
        self.browser.value("hangtime.errors.length = 0")?;
        self.ticks(30)
    }

    /// The world of another client is seen, and comes to the same end as one without a watcher.
    pub fn watches(&mut self, program: &Program) -> Outcome {
        let ends = ["", "watched"].map(|name| self.another_client(program, !name.is_empty()));
        let [alone, watched] = ends;
        check(alone? == watched?, "a world that is watched plays differently")?;
        self.browser.wait("it does not return to its own world", CONNECTED)?;
        self.browser.value("hangtime.errors.length = 0").map(drop)
    }

    /// Plays the swing as another client, and returns the hash at the end.
    fn another_client(&mut self, program: &Program, watched: bool) -> Result<Value, String> {
        let select = "document.getElementById('worlds')";
        let listed = format!("[...{select}.options].some((one) => one.text.includes('swing'))");
        if watched {
            // The world of before has ended, and the page lists worlds only now and then.
            self.browser.wait("a world that has ended is listed", &format!("!{listed}"))?;
        }
        let mut client = Client::to(&program.address)?;
        client.tell("world.create", &json!({"level": "swing"}))?;
        let inputs = std::fs::read_to_string("levels/swing.input");
        let inputs = inputs.map_err(|error| error.to_string())?;
        let mut result = client.tell("world.step", &json!({"world": 1, "ticks": 1, "inputs": inputs}))?;
        if watched {
            self.browser.wait("the world is not listed", &listed)?;
            self.browser.value(&format!(
                "{select}.value = [...{select}.options].find((one) => one.text.includes('swing')).value;\
                 {select}.dispatchEvent(new Event('change'))"
            ))?;
            self.browser.wait(
                "a world that rests does not show",
                "hangtime.level === 'levels/swing.toml' && hangtime.tick === 1",
            )?;
        }
        for _ in 0..20 {
            result = client.tell("world.step", &json!({"world": 1, "ticks": 6}))?;
            std::thread::sleep(Duration::from_millis(20));
        }
        if watched {
            let shown = format!("hangtime.tick === {}", result["tick"]);
            self.browser.wait("the world does not show", &shown)?;
            self.picture("watching")?;
        }
        Ok(result["hash"].take())
    }

    /// On a phone, there are buttons to play with.
    pub fn fits_a_phone(&mut self, program: &Program) -> Outcome {
        let phone = json!({"width": 390, "height": 760, "deviceScaleFactor": 2, "mobile": true});
        self.browser.call("Emulation.setDeviceMetricsOverride", phone)?;
        let touch = json!({"enabled": true});
        self.browser.call("Emulation.setTouchEmulationEnabled", touch)?;
        self.browser.open(&format!("{}#level=playground", program.url))?;
        self.browser.wait("no world", CONNECTED)?;
        self.ticks(20)?;
        let wide = self.browser.number("document.documentElement.scrollWidth")?;
        check(wide <= 390.0, "the page is wider than a phone")?;
        let x = self.browser.number("hangtime.x")?;
        let place = self.browser.value(
            "(() => { const box = document.querySelector('#touch .right').getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; })()",
        )?;
        let points = json!([{"x": place[0], "y": place[1]}]);
        let down = json!({"type": "touchStart", "touchPoints": points});
        self.browser.call("Input.dispatchTouchEvent", down)?;
        let moved = format!("hangtime.x > {}", x + 60.0);
        self.browser.wait("the button does not move the hero", &moved)?;
        self.picture("phone")?;
        let up = json!({"type": "touchEnd", "touchPoints": []});
        self.browser.call("Input.dispatchTouchEvent", up)?;
        self.browser.call("Emulation.clearDeviceMetricsOverride", json!({}))?;
        let touch = json!({"enabled": false});
        self.browser.call("Emulation.setTouchEmulationEnabled", touch)?;
        self.no_complaints()
    }

    /// A service that was gone is found again.
    pub fn comes_back(&mut self, program: &Path, game: &Game, port: u16) -> Outcome {
        self.browser
            .wait("it does not see that the service is gone", "hangtime.state === 'lost'")?;
        self.picture("lost")?;
        let _program = Program::start(program, game, port, &[])?;
        self.browser.wait("it does not come back", CONNECTED)?;
        self.ticks(30)?;
        // The browser complains about each try in between.
        self.browser.complaints.retain(|text| !text.contains("WebSocket connection"));
        self.no_complaints()
    }

    /// Without the token there is no world; with it, in the form or in the address, there is one.
    pub fn asks_for_the_token(&mut self, program: &Path, game: &Game) -> Outcome {
        let program = Program::start(program, game, 0, &["--token", "open sesame"])?;
        self.browser.open(&program.url)?;
        let form = "!!document.getElementById('token') && !document.getElementById('token').hidden";
        let fill = |text: &str| {
            format!(
                "document.getElementById('token-text').value = '{text}';\
                 document.getElementById('token').requestSubmit()"
            )
        };
        for text in ["open barley", "open sesame"] {
            self.browser.wait("it does not ask for the token", form)?;
            self.browser.value(&fill(text))?;
        }
        self.browser.wait("the token does not help", CONNECTED)?;
        self.browser.open(&format!("{}#token=open+sesame", program.url))?;
        self.browser.wait("the token in the address does not help", CONNECTED)?;
        self.ticks(10)
    }

    /// The browser has found nothing wrong with the page, and the page nothing with the service.
    fn no_complaints(&mut self) -> Outcome {
        let errors = self.browser.value("hangtime.errors")?;
        check(errors == json!([]), &format!("the page has errors: {errors}"))?;
        let complaints = self.browser.complaints.join("\n");
        check(complaints.is_empty(), &format!("the browser complains: {complaints}"))
    }

    /// Checks what the browser has said.
    pub fn ends(&mut self) -> Outcome {
        self.no_complaints()?;
        println!("the page works; its pictures are in {}", self.pictures.display());
        Ok(())
    }
}

/// Another client of the service, over TCP.
struct Client {
    to: TcpStream,
    from: BufReader<TcpStream>,
}

impl Client {
    fn to(address: &str) -> Result<Self, String> {
        let to = TcpStream::connect(address).map_err(|error| error.to_string())?;
        let from = BufReader::new(to.try_clone().map_err(|error| error.to_string())?);
        Ok(Self { to, from })
    }

    fn tell(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        writeln!(self.to, "{request}").map_err(|error| error.to_string())?;
        let mut line = String::new();
        self.from.read_line(&mut line).map_err(|error| error.to_string())?;
        let mut answer: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        match answer.get("error") {
            Some(error) => Err(format!("{method}: {error}")),
            None => Ok(answer["result"].take()),
        }
    }
}
