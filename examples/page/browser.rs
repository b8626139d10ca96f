//! A headless Chromium, driven over the DevTools protocol.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket, stream::MaybeTlsStream};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The line that says where the browser listens.
const LISTENING: &str = "DevTools listening on ";

/// A browser with one page. Killed when it is dropped.
pub struct Browser {
    child: Child,
    _profile: TempDir,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: String,
    last: u64,
    /// What the page has complained about.
    pub complaints: Vec<String>,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Browser {
    /// Starts a browser with an empty page.
    pub fn start(program: &Path) -> Result<Self, String> {
        let profile = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut child = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu"])
            .args(["--no-first-run", "--remote-debugging-port=0"])
            .arg("--window-size=1280,800")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        let stderr = BufReader::new(child.stderr.take().ok_or("no pipe")?);
        let mut lines = stderr.lines().map_while(Result::ok);
        let url = lines.find_map(|line| line.strip_prefix(LISTENING).map(str::to_string));
        let url = url.ok_or("the browser does not listen")?;
        // What it says later is of no interest, but it must not wait for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        let (socket, _) = tungstenite::connect(url).map_err(|error| error.to_string())?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            let _ = stream.set_read_timeout(Some(PATIENCE));
        }
        let mut browser =
            Self { child, _profile: profile, socket, session: String::new(), last: 0, complaints: Vec::new() };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))?;
        let id = &target["targetId"];
        let attach = json!({"targetId": id, "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach)?;
        browser.session = attached["sessionId"].as_str().unwrap_or_default().into();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(domain, json!({}))?;
        }
        Ok(browser)
    }

    /// The result of a command.
    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.last += 1;
        let id = self.last;
        let mut message = json!({"id": id, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let send = self.socket.send(Message::text(message.to_string()));
        send.map_err(|error| error.to_string())?;
        loop {
            let read = self.socket.read();
            let read = read.map_err(|error| format!("{method}: {error}"))?;
            let Message::Text(text) = read else { continue };
            let mut answer: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            if answer["id"] != json!(id) {
                self.note(&answer);
                continue;
            }
            return match answer.get("error") {
                Some(error) => Err(format!("{method}: {error}")),
                None => Ok(answer["result"].take()),
            };
        }
    }

    /// Notes what an event says about errors.
    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        let complaint = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => &params["exceptionDetails"],
            Some("Log.entryAdded") if params["entry"]["level"] == "error" => &params["entry"]["text"],
            Some("Runtime.consoleAPICalled") if params["type"] == "error" => &params["args"],
            _ => return,
        };
        self.complaints.push(complaint.to_string());
    }

    /// Opens an address.
    pub fn open(&mut self, url: &str) -> Result<(), String> {
        // An address that differs in its fragment only would not be loaded again.
        for url in ["about:blank", url] {
            self.call("Page.navigate", json!({"url": url}))?;
        }
        Ok(())
    }

    /// The value of an expression.
    pub fn value(&mut self, expression: &str) -> Result<Value, String> {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut result = self.call("Runtime.evaluate", params)?;
        match result.get("exceptionDetails") {
            Some(details) => Err(format!("{expression}: {details}")),
            None => Ok(result["result"]["value"].take()),
        }
    }

    /// A number of the page.
    pub fn number(&mut self, expression: &str) -> Result<f64, String> {
        let value = self.value(expression)?;
        let number = value.as_f64();
        number.ok_or_else(|| format!("{expression} is {value}, not a number"))
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, what: &str, expression: &str) -> Result<(), String> {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if self.value(expression).is_ok_and(|value| value == true) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let seen = self.value("window.hangtime && JSON.stringify(window.hangtime)");
        Err(format!("{what}: `{expression}` stays false; the page has {seen:?}"))
    }

    /// Presses or releases a key.
    pub fn key(&mut self, code: &str, down: bool) -> Result<(), String> {
        let kind = if down { "rawKeyDown" } else { "keyUp" };
        let params = json!({"type": kind, "code": code, "key": code});
        self.call("Input.dispatchKeyEvent", params).map(drop)
    }

    /// Presses a key and releases it.
    pub fn tap(&mut self, code: &str) -> Result<(), String> {
        self.key(code, true)?;
        self.key(code, false)
    }

    /// Writes a picture of the page.
    pub fn picture(&mut self, path: &Path) -> Result<(), String> {
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"}))?;
        let data = shot["data"].as_str().unwrap_or_default();
        let bytes = STANDARD.decode(data).map_err(|error| error.to_string())?;
        std::fs::write(path, bytes).map_err(|error| error.to_string())
    }
}
