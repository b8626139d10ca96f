//! The table of a level, whatever its file is.

use crate::files::sources::source::SourceSet;
use crate::files::tables::tree::{Table, parse};
use crate::files::tiled::{MapSources, is_map, read_map};
use hangtime_script::Mistakes;
use std::collections::BTreeSet;

impl SourceSet {
    /// The table of the level; that of a map is the table that its TOML would be. None if it cannot be
    /// read.
    pub(crate) fn level_table(&self, out: &mut Mistakes) -> Option<Table> {
        let file = self.get(&self.level)?;
        if !is_map(&file.name) {
            let mut table = parse(file).map_err(|wrong| out.push(wrong)).ok()?;
            self.lay_levels_over(&mut table, out);
            return Some(table);
        }
        let kinds = self.kind_names();
        read_map(self.map_sources(&kinds), file, out)
    }

    /// What a map is read from.
    pub(crate) fn map_sources<'s>(&'s self, kinds: &'s BTreeSet<String>) -> MapSources<'s> {
        MapSources { files: &self.files, kinds, unreadable: &self.unreadable }
    }
}
