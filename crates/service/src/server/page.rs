//! The page of `--web`: an engine that plays for a client, and sends pictures instead of numbers.
//!
//! After `initialize`, the binary frames of a WebSocket are messages of the page. Each is answered with one, deflated:
//! `hangtime_page` describes them. They are no part of the protocol, because they change with the page.

use super::*;
use flate2::{Compression, write::DeflateEncoder};
use hangtime_game::{Error, GameWatch, game_files, write_game_file};
use hangtime_page::PageHost;

/// A message of the page, and the engine that it is for.
pub struct PageMessage {
    pub engine: Arc<Mutex<Option<PageEngine>>>,
    pub bytes: Vec<u8>,
}

/// Lets the engine carry out a message, and sends its answer. The engine is made for the first one.
pub fn play(service: &ServiceShared, message: PageMessage, reply: &Reply) -> RequestResult {
    let mut engine = message.engine.lock();
    let playing = match engine.take() {
        Some(engine) => Ok(engine),
        None => WorldShare::take(&service.used, &service.limits)
            .map(|share| PageEngine::new(Box::new(ServedPage::new(reply.link(), share)))),
    };
    let answer = playing.map_err(|error| error.object().message().to_string()).and_then(|mut playing| {
        let answer = catch_unwind(AssertUnwindSafe(|| playing.handle(&message.bytes)));
        let answer = answer.map_err(|_| "hangtime itself failed here; please report this bug".to_string())?;
        *engine = Some(playing);
        Ok(answer)
    });
    let answer = answer.unwrap_or_else(|why| PageEngine::refusal(&why));
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::fast());
    // Writing into memory does not fail.
    let deflated = deflated.write_all(&answer).and_then(|()| deflated.finish());
    reply.link().outbox.send_binary(deflated.unwrap_or_default());
    Ok(Answer::of(&Done {}))
}

/// The service as the engine of a page sees it.
struct ServedPage {
    link: Arc<ClientLink>,
    began: Instant,
    /// Watches the files from the moment at which they are read.
    watch: Option<GameWatch>,
    /// An engine counts as a world.
    _share: WorldShare,
}

impl ServedPage {
    fn new(link: &Arc<ClientLink>, share: WorldShare) -> Self {
        Self { link: link.clone(), began: Instant::now(), watch: None, _share: share }
    }

    fn folder(&self) -> &GameFolder {
        self.link.service.game.project().folder()
    }
}

impl PageHost for ServedPage {
    fn now(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    fn files(&mut self) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        if self.watch.is_none() {
            self.watch = Some(GameWatch::new(self.folder().clone(), Vec::new()));
        }
        game_files(self.folder())
    }

    fn keep(&mut self, path: &str, bytes: Option<&[u8]>) -> Result<(), String> {
        if !self.link.service.writes {
            return Err(format!("{path} stays as it is, because the service was started without `--write`"));
        }
        write_game_file(self.folder(), path, bytes).map_err(|error| error.to_string())
    }

    fn has_saved_files(&mut self) -> bool {
        self.watch.as_mut().is_some_and(|watch| !watch.wait(Duration::ZERO).is_empty())
    }

    fn worlds(&self) -> Vec<(u64, String)> {
        let worlds = self.link.service.showcase.list(&self.link).into_iter();
        worlds.map(|world| (world.watched, world.level)).collect()
    }

    fn world(&mut self, number: u64) -> Option<Live> {
        Some(self.link.service.showcase.copy(number)?.live())
    }
}
