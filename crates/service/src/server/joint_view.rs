//! What a step of many worlds shows: blocks of numbers, each of worlds that have the same entities.

use super::*;

/// How many kinds of worlds are remembered, so that the next one of the kind is not checked again.
const MOST_CHECKED: usize = 16;

/// What a step of many worlds shows of them.
pub struct JointView {
    pub params: ObserveParams,
    columns: Vec<Column>,
    /// Which entities it shows the events of.
    pub filter: ObservationFilter,
    readers: Vec<ColumnReader>,
    /// The block of each reader.
    blocks_of: Vec<usize>,
    /// The rows of each block.
    rows: BTreeMap<Vec<Arc<str>>, usize>,
    checked: Vec<CheckedWorld>,
    /// How many numbers the worlds that were checked show.
    numbers: u64,
}

/// A world whose names were checked, for others that are like it.
struct CheckedWorld {
    revision: Arc<Revision>,
    /// Id, name and kind of each entity.
    entities: Vec<(EntityId, Arc<str>, Arc<str>)>,
    reader: usize,
}

impl CheckedWorld {
    fn is_like(&self, live: &Live) -> bool {
        let entities = live.world().entities();
        let is_same = |one: &Arc<str>, other: &Arc<str>| Arc::ptr_eq(one, other) || one == other;
        Arc::ptr_eq(&self.revision, live.revision())
            && self.entities.len() == entities.len()
            && self
                .entities
                .iter()
                .zip(entities)
                .all(|((id, name, kind), e)| *id == e.id && is_same(name, &e.name) && is_same(kind, &e.kind))
    }
}

impl JointView {
    /// What a request wants to see.
    ///
    /// # Errors
    /// If there is no such column, or the client gets no binary frames.
    pub fn new(params: ObserveWorldsParams, takes_binary: bool) -> Result<Self, RpcError> {
        let ObserveWorldsParams { columns: names, entities, kinds, format } = params;
        check_format(format, takes_binary)?;
        let parsed = names.iter().enumerate().map(|(place, name)| {
            // Variables are checked in each world.
            known_column(&format!("observe.columns[{place}]"), name)
        });
        let columns = parsed.collect::<Result<_, _>>()?;
        Ok(Self {
            params: ObserveParams { entities, kinds, format, ..ObserveParams::default() },
            columns,
            filter: ObservationFilter::default(),
            readers: Vec::new(),
            blocks_of: Vec::new(),
            rows: BTreeMap::new(),
            checked: Vec::new(),
            numbers: 0,
        })
    }

    /// Checks that a world has what the request names. Returns the reader of its numbers.
    ///
    /// # Errors
    /// What it lacks.
    pub fn check(&mut self, live: &Live) -> Result<usize, RpcError> {
        let known = self.checked.iter().find(|checked| checked.is_like(live)).map(|checked| checked.reader);
        let reader = match known {
            Some(reader) => reader,
            None => self.check_another(live)?,
        };
        // Rows without columns have names.
        let rows = self.readers[reader].rows().len();
        self.numbers += (rows * self.columns.len().max(1)) as u64;
        Ok(reader)
    }

    /// Checks that an answer has room for the numbers of all worlds that were checked.
    ///
    /// # Errors
    /// If it has not.
    pub fn check_room(&self) -> Result<(), RpcError> {
        if self.numbers <= MOST_NUMBERS {
            return Ok(());
        }
        let message = format!(
            "`observe` asks for more than {MOST_NUMBERS} numbers, which an answer has at most: step fewer worlds at once, or \
             show fewer columns or entities"
        );
        Err(ErrorKind::Limit.error(message).at("params.observe"))
    }

    fn check_another(&mut self, live: &Live) -> Result<usize, RpcError> {
        self.filter = ObservationFilter::new(&self.params, live)?;
        for (place, column) in self.columns.iter().enumerate() {
            check_column(live, &format!("observe.columns[{place}]"), column)?;
        }
        let reader = ColumnReader::new(self.columns.clone(), live, |e| self.filter.shows(e));
        let entities = live.world().entities().iter();
        let shown = entities.clone().filter(|e| self.filter.shows(e)).map(|e| e.name.clone());
        let block = self.rows.len();
        self.blocks_of.push(*self.rows.entry(shown.collect()).or_insert(block));
        self.readers.push(reader);
        let reader = self.readers.len() - 1;
        let entities = entities.map(|e| (e.id, e.name.clone(), e.kind.clone())).collect();
        if self.checked.len() == MOST_CHECKED {
            self.checked.remove(0);
        }
        self.checked.push(CheckedWorld { revision: live.revision().clone(), entities, reader });
        Ok(reader)
    }

    /// The reader with this place.
    pub fn reader(&self, place: usize) -> &ColumnReader {
        &self.readers[place]
    }

    /// The blocks of an answer, and the binary frame with their numbers: of worlds with their numbers and readers, in the
    /// order of the request. Blocks are in the order of their first worlds.
    pub fn blocks<'a>(
        &self,
        shown: impl Iterator<Item = (u64, usize, &'a [f64])>,
    ) -> (Vec<ColumnBlock>, Option<Vec<u8>>) {
        let mut filled: Vec<(Vec<u64>, Vec<u8>)> = vec![Default::default(); self.rows.len()];
        let mut rows: Vec<Vec<String>> = vec![Vec::new(); self.rows.len()];
        for (names, block) in &self.rows {
            rows[*block] = names.iter().map(|name| name.to_string()).collect();
        }
        for (number, reader, numbers) in shown {
            let (worlds, bytes) = &mut filled[self.blocks_of[reader]];
            worlds.push(number);
            bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
        }
        let is_binary = self.params.format == ColumnFormat::Binary;
        let mut frame = Vec::new();
        let blocks = filled.into_iter().zip(rows).map(|((worlds, bytes), rows)| {
            if is_binary {
                frame.extend_from_slice(&bytes);
            }
            let (data, binary) = encoded(self.params.format, &bytes);
            ColumnBlock { worlds, rows, data, binary }
        });
        let blocks = blocks.collect();
        (blocks, is_binary.then_some(frame))
    }
}
