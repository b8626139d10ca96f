//! A virtual display, and what a person does with the window on it.

use super::saves::Dice;
use std::{
    cell::Cell,
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// The color of the banner with errors.
const BANNER: &str = "rgb(118,28,40)";

pub struct Display {
    server: Child,
    name: String,
    sizes: Cell<u64>,
    hides: Cell<u64>,
}

impl Display {
    /// Starts a display with this name, or a free one.
    pub fn start(name: Option<&str>) -> Result<Self, String> {
        let mut command = Command::new("Xvfb");
        if let Some(name) = name {
            command.arg(name);
        }
        command.args(["-displayfd", "1", "-noreset", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = command.spawn().map_err(|e| format!("Xvfb: {e}"))?;
        let mut number = String::new();
        if let Some(out) = server.stdout.take() {
            let _ = BufReader::new(out).read_line(&mut number);
        }
        let name = format!(":{}", number.trim());
        if name == ":" {
            let _ = server.kill();
            return Err("Xvfb does not start".into());
        }
        Ok(Self { server, name, sizes: Cell::new(0), hides: Cell::new(0) })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs `xdotool`, and returns what it prints.
    pub fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).output();
        let text = output.map(|output| output.stdout).unwrap_or_default();
        String::from_utf8_lossy(&text).trim().to_string()
    }

    /// Gives the window a size at which its memory and its pictures can be compared.
    pub fn restore(&self, window: &str) {
        self.xdotool(&["windowmap", window, "windowsize", window, "1280", "720"]);
    }

    /// Changes the size of the window: drags, jumps, tiny and huge sizes, minimized and back.
    pub fn resize(&self, window: &str, dice: &mut Dice) {
        let mut steps: Vec<String> = Vec::new();
        let mut size = |width: u64, height: u64| {
            steps.extend(["windowsize".into(), window.into(), width.to_string(), height.to_string()]);
        };
        match dice.roll(6) {
            0 => (0..10).for_each(|_| size(300 + dice.roll(1300), 200 + dice.roll(800))),
            1 => (0..10).for_each(|i| size(1280 - i * 30, 720 - i * 20)),
            2 => (0..5).for_each(|_| size(1 + dice.roll(30), 1 + dice.roll(30))),
            3 => size(1600 + dice.roll(1400), 1000 + dice.roll(1000)),
            4 => {
                self.hides.set(self.hides.get() + 1);
                steps.extend(["windowunmap", window, "sleep", "0.05", "windowmap", window].map(String::from));
            }
            _ => size(1280, 720),
        }
        self.sizes
            .set(self.sizes.get() + steps.iter().filter(|step| *step == "windowsize").count() as u64);
        let key = ["Right", "Left", "space"][dice.roll(3) as usize];
        let hold = ["keydown", "keyup"][dice.roll(2) as usize];
        steps.extend(["windowfocus", window, hold, key].map(String::from));
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        self.xdotool(&steps);
    }

    /// Whether the window shows the banner, waiting a moment for what is expected. `None` if no picture can
    /// be taken.
    pub fn shows_banner(&self, window: &str, expected: bool) -> Option<bool> {
        // A window that is tiny by now shows nothing that could be found.
        self.restore(window);
        let started = Instant::now();
        let mut found = None;
        while started.elapsed() < Duration::from_secs(2) && found != Some(expected) {
            found = self.has_color(BANNER);
        }
        found
    }

    fn has_color(&self, color: &str) -> Option<bool> {
        let script = format!(
            "import -silent -window root png:- | convert png:- -fill black +opaque '{color}' \
             -fill white -opaque '{color}' -format '%[fx:maxima]' info:"
        );
        let output = Command::new("sh").args(["-c", &script]).env("DISPLAY", &self.name).output().ok()?;
        match String::from_utf8_lossy(&output.stdout).trim() {
            "1" => Some(true),
            "0" => Some(false),
            _ => None,
        }
    }

    pub fn counts(&self) -> String {
        format!("{:>6} changes of the window's size, {} times hidden", self.sizes.get(), self.hides.get())
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
