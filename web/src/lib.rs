//! hangtime in a browser: what JavaScript calls.
//!
//! * [`Engine`] is the engine of the page, which a worker owns;
//! * [`Game`] and [`World`] are what other pages use instead: worlds without a picture;
//! * [`replay`] plays a recording there.

mod recording;
mod world;

pub use recording::replay;
pub use world::{Game, World};

use hangtime_game::{Error, Live};
use hangtime_page::{GameFiles, PageEngine, PageHost};
use include_dir::{Dir, File, include_dir};
use serde::Serialize;
use std::{collections::BTreeMap, sync::Arc};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The clock of the page or the worker, ms.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn clock_ms() -> f64;

    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(text: &str);
}

/// The playground as far as a page plays it: `web/build` leaves out its test scripts and the guide.
static PLAYGROUND: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/target/playground");

/// The files of the built-in game.
fn playground() -> GameFiles {
    let mut files = GameFiles::default();
    let mut folders = vec![&PLAYGROUND];
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        let text = |file: &File| (file.path().to_string_lossy().replace('\\', "/"), file.contents().to_vec());
        files.0.extend(folder.files().map(text));
    }
    files
}

/// A page that plays by itself: its own game is the built-in playground, and what is written stays in it.
struct PageItself;

impl PageHost for PageItself {
    fn now(&self) -> f64 {
        clock_ms() / 1000.0
    }

    fn files(&mut self) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        Ok(playground().0)
    }

    fn keep(&mut self, _: &str, _: Option<&[u8]>) -> Result<(), String> {
        Ok(())
    }

    fn has_saved_files(&mut self) -> bool {
        false
    }

    fn worlds(&self) -> Vec<(u64, String)> {
        Vec::new()
    }

    fn world(&mut self, _: u64) -> Option<Live> {
        None
    }
}

/// The engine of the page.
#[wasm_bindgen]
pub struct Engine(PageEngine);

#[wasm_bindgen]
impl Engine {
    /// An engine without a game.
    #[allow(clippy::new_without_default, reason = "JavaScript has no `Default`")]
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
        Self(PageEngine::new(Box::new(PageItself)))
    }

    /// Carries out a message, and returns the answer.
    pub fn handle(&mut self, message: &[u8]) -> Vec<u8> {
        self.0.handle(message)
    }
}

/// A value as JSON.
fn json(value: &impl Serialize) -> String {
    // Everything that is passed out has text keys and finite numbers.
    serde_json::to_string(value).unwrap_or_default()
}
