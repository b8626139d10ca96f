//! The data that the game thread and the window's thread share. Locks are held only to copy or to change it.

use super::{pointer::Pointer, strip_link::StripLink, tuning_link::TuningLink, *};
use hangtime_workbench::{DrawingOrder, EditOrder, KeyLatch, MOST_ANSWERS};

/// The most keys that wait for a frame; more are dropped.
const MOST_PRESSED: usize = 256;

/// Everything that the two threads share.
pub struct SharedState {
    /// The latest state to draw.
    pub frame: Mutex<BenchFrame>,
    pub latch: Mutex<KeyLatch>,
    pub pointer: Mutex<Pointer>,
    /// The level to open next.
    pub level: Mutex<Option<PathBuf>>,
    /// The keys of the workbench that were pressed since the last frame, in their order.
    pub pressed: Mutex<Vec<WindowKey>>,
    /// What to do to the level that is edited.
    pub orders: Mutex<Vec<EditOrder>>,
    /// The number of levels with edits that are not saved.
    pub unsaved: AtomicUsize,
    /// What keys have done about a drawn jump since the last frame, in their order.
    pub drawn: Mutex<Vec<DrawingOrder>>,
    /// What the tuning panel and the game thread tell each other.
    pub tuning: TuningLink,
    /// What the timeline and the game thread tell each other.
    pub strip: StripLink,
    /// Set when the window is closed.
    pub stop: AtomicBool,
    started: Instant,
}

impl SharedState {
    pub fn new(revision: Arc<Revision>) -> Self {
        Self {
            frame: Mutex::new(BenchFrame::new(revision)),
            latch: Mutex::default(),
            pointer: Mutex::default(),
            level: Mutex::default(),
            pressed: Mutex::default(),
            orders: Mutex::default(),
            unsaved: AtomicUsize::new(0),
            drawn: Mutex::default(),
            tuning: TuningLink::default(),
            strip: StripLink::default(),
            stop: AtomicBool::new(false),
            started: Instant::now(),
        }
    }

    /// Seconds since the session started.
    pub fn now(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Passes a key on that is for a drawn jump. Returns whether it is.
    pub fn draw(&self, key: &str) -> bool {
        let number = key
            .strip_prefix("Digit")
            .or(key.strip_prefix("Numpad"))
            .and_then(|digit| digit.parse().ok());
        let order = match (key, number) {
            ("Enter" | "NumpadEnter", _) => DrawingOrder::Apply,
            ("Escape", _) => DrawingOrder::Close,
            (_, Some(number)) if (1..=MOST_ANSWERS).contains(&number) => DrawingOrder::Choose(number - 1),
            _ => return false,
        };
        let is_open = self.frame.lock().bench.is_drawing();
        if is_open {
            self.order(order);
        }
        is_open
    }

    /// Passes an order about a drawn jump on to the workbench.
    pub fn order(&self, order: DrawingOrder) {
        let mut drawn = self.drawn.lock();
        if drawn.len() < MOST_PRESSED {
            drawn.push(order);
        }
    }

    /// Passes a key of the window on to the workbench.
    pub fn press(&self, key: WindowKey) {
        let mut pressed = self.pressed.lock();
        if pressed.len() < MOST_PRESSED {
            pressed.push(key);
        }
    }
}
