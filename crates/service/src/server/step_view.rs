//! What a step shows: lines, or columns of numbers.

use super::*;
use base64::Engine as _;

/// The most lines in an answer.
const MOST_LINES: u64 = 10_000;

/// The most entities in all lines of an answer together.
const MOST_SHOWN: u64 = 250_000;

/// The length of the lines in an answer, in bytes, after which there are no more. Variables of scripts can be long.
const MOST_LINE_BYTES: usize = 128 << 20;

/// The most numbers in an answer.
pub const MOST_NUMBERS: u64 = 1 << 22;

/// What a step shows.
pub struct StepView {
    /// Which entities it shows, and what of them.
    pub filter: ObservationFilter,
    /// Every nth tick, or only the last one.
    every: Option<u64>,
    shown: ShownForm,
    /// The numbers of the observed ticks.
    numbers: Vec<f64>,
    ticks: Vec<u64>,
    lines: Vec<Box<RawValue>>,
    /// The length of all lines.
    bytes: usize,
}

/// The form in which ticks are shown.
enum ShownForm {
    /// Not at all.
    Nothing,
    Lines,
    Columns(Box<ColumnReader>, ColumnFormat),
}

impl StepView {
    /// What a request about `ticks` ticks of this world wants to see.
    ///
    /// # Errors
    /// If it asks for what is not there, or for too much.
    pub fn new(params: Option<&ObserveParams>, live: &Live, ticks: u64, takes_binary: bool) -> Result<Self, RpcError> {
        let filter = params.map(|params| ObservationFilter::new(params, live));
        let filter = filter.transpose()?.unwrap_or_default();
        let every = params.and_then(|params| params.every);
        let shown = match params {
            None => ShownForm::Nothing,
            Some(params) => match &params.columns {
                None => ShownForm::Lines,
                Some(names) => {
                    check_format(params.format, takes_binary)?;
                    let columns = names
                        .iter()
                        .enumerate()
                        .map(|(place, name)| named_column(live, &format!("observe.columns[{place}]"), name));
                    let columns = columns.collect::<Result<Vec<_>, _>>()?;
                    let reader = ColumnReader::new(columns, live, |e| filter.shows(e));
                    ShownForm::Columns(Box::new(reader), params.format)
                }
            },
        };
        check_size(&shown, &filter, live, every.map_or(1, |every| ticks / every + 1))?;
        Ok(Self { filter, every, shown, numbers: Vec::new(), ticks: Vec::new(), lines: Vec::new(), bytes: 0 })
    }

    /// Looks at the world after a tick.
    pub fn look_after_tick(&mut self, live: &Live) {
        if let Some(every) = self.every
            && live.world().ticks().is_multiple_of(every)
        {
            self.look(live);
        }
    }

    /// Looks at the world after the last tick.
    pub fn look_at_end(&mut self, live: &Live) {
        if self.every.is_none() {
            self.look(live);
        }
    }

    /// Looks at the world as it is now.
    pub fn look(&mut self, live: &Live) {
        match &mut self.shown {
            ShownForm::Nothing => {}
            ShownForm::Lines => {
                let line = self.filter.line(live, self.filter.events(live));
                self.bytes += line.get().len();
                self.lines.push(line);
            }
            ShownForm::Columns(reader, _) => {
                let from = self.numbers.len();
                self.numbers.resize(from + reader.len(), 0.0);
                reader.read(live, &mut self.numbers[from..]);
                self.ticks.push(live.world().ticks());
            }
        }
    }

    /// Whether an answer has no room for more lines.
    pub fn is_full(&self) -> bool {
        self.every.is_some() && self.bytes > MOST_LINE_BYTES
    }

    /// Why a step whose lines have no room in an answer fails.
    pub fn too_long() -> RpcError {
        let message = format!(
            "the lines of this step have more than {} MB; the step has ended after a whole tick: make fewer ticks, or show \
             fewer of them with `every`",
            MOST_LINE_BYTES >> 20
        );
        ErrorKind::Limit.error(message).at("params.observe")
    }

    /// The lines that it has seen.
    pub fn take_lines(&mut self) -> Vec<Box<RawValue>> {
        mem::take(&mut self.lines)
    }

    /// The numbers that it has seen, and the binary frame with them.
    pub fn columns(&self) -> (Option<ColumnData>, Option<Vec<u8>>) {
        let ShownForm::Columns(reader, format) = &self.shown else {
            return (None, None);
        };
        let bytes: Vec<u8> = self.numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let columns = reader.columns().iter();
        let (data, binary) = encoded(*format, &bytes);
        let data = ColumnData {
            ticks: self.ticks.clone(),
            columns: columns.map(|column| column.name().to_string()).collect(),
            rows: reader.rows().map(str::to_string).collect(),
            data,
            binary,
        };
        (Some(data), binary.map(|_| bytes))
    }
}

/// Numbers as text, or their length in a binary frame.
pub fn encoded(format: ColumnFormat, bytes: &[u8]) -> (Option<String>, Option<usize>) {
    match format {
        ColumnFormat::Base64 => (Some(STANDARD.encode(bytes)), None),
        ColumnFormat::Binary => (None, Some(bytes.len())),
    }
}

/// Checks that the client can get numbers in this form.
///
/// # Errors
/// If it cannot.
pub fn check_format(format: ColumnFormat, takes_binary: bool) -> Result<(), RpcError> {
    if format == ColumnFormat::Binary && !takes_binary {
        let message = "is `binary`, which only WebSocket has, outside of batches; use `base64`";
        return Err(RpcError::parameter("observe.format", message));
    }
    Ok(())
}

/// Checks that an answer has room for what `observed` ticks show.
///
/// # Errors
/// If it does not.
fn check_size(shown: &ShownForm, filter: &ObservationFilter, live: &Live, observed: u64) -> Result<(), RpcError> {
    let of_all = |each: usize| observed.saturating_mul(each as u64);
    let entities = || live.world().entities().iter().filter(|e| filter.shows(e)).count();
    let (count, most, what) = match shown {
        ShownForm::Nothing => return Ok(()),
        ShownForm::Lines if observed == 1 => return Ok(()),
        ShownForm::Lines if observed > MOST_LINES => (observed, MOST_LINES, "lines"),
        ShownForm::Lines => (of_all(entities()), MOST_SHOWN, "entities in lines"),
        ShownForm::Columns(reader, _) => (of_all(reader.len()), MOST_NUMBERS, "numbers"),
    };
    if count <= most {
        return Ok(());
    }
    let message = format!(
        "`observe` asks for up to {count} {what}; an answer has at most {most}: make fewer ticks, or show fewer of them \
         with `every`, or fewer entities"
    );
    Err(ErrorKind::Limit.error(message).at("params.observe"))
}
