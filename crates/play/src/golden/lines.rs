//! A trace line by line, and the file of a golden one.

use super::{changes::changes, *};

/// The lines of the trace of a run, as they are written.
pub struct TraceLines {
    trace: Trace,
    written: SharedBytes,
}

impl Default for TraceLines {
    fn default() -> Self {
        let written = SharedBytes::default();
        Self { trace: Trace::new(Box::new(written.clone()), TraceOptions::default()), written }
    }
}

impl TraceLines {
    /// The line of the present tick; before the first one also the header.
    pub fn next(&mut self, live: &mut Live) -> io::Result<String> {
        self.trace.observe(live)?;
        String::from_utf8(self.written.take()).map_err(io::Error::other)
    }
}

/// Writes a golden trace: its header, tick 0, and what changes in each tick.
pub struct GoldenWriter {
    out: Box<dyn Write + Send>,
    /// The first line, until it is written.
    header: Option<GoldenHeader>,
    run: TraceLines,
    before: TraceLine,
}

impl GoldenWriter {
    pub fn new(out: Box<dyn Write + Send>, header: GoldenHeader) -> Self {
        Self { out, header: Some(header), run: TraceLines::default(), before: TraceLine::new() }
    }

    /// Flushes the output.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Observer for GoldenWriter {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        let written = self.run.next(live)?;
        if let Some(header) = self.header.take() {
            let header = serde_json::to_string(&header)?;
            writeln!(self.out, "{}", printable_json(&header))?;
        }
        // The header of the run is left out.
        let line: TraceLine = serde_json::from_str(written.lines().last().unwrap_or_default())?;
        let changes = changes(&self.before, &line);
        self.before = line;
        writeln!(self.out, "{}", text_of(&changes))
    }
}

/// A line as it is written.
pub fn text_of(line: &TraceLine) -> String {
    // Writing plain data into memory does not fail.
    let text = serde_json::to_string(line).unwrap_or_default();
    printable_json(&text).into_owned()
}
