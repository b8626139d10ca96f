//! Tests of `src/files/tables/points.rs`.

use super::*;
use crate::files::tables::tree::{Data, Table};
use hangtime_script::Mistakes;

#[test]
fn surfaces_are_numbered_by_first_use_as_far_as_there_are_numbers() {
    let mut surfaces = SurfaceNames::default();
    let mut out = Mistakes::new();
    let mut number = |name: String| {
        let mut table = Table::empty("level");
        table.put("surface", Node::new(Data::Text(name), &table.place));
        let mut reader = TableReader::new(&table, &mut out);
        read_surface(&mut reader, &mut surfaces, SurfaceId(0)).0
    };
    // Number 0 is the plain surface.
    for i in 1..MOST_LISTED {
        assert_eq!(number(format!("s{i}")), i as u16);
    }
    assert_eq!(number("s700".into()), 700);
    assert_eq!(number("one too many".into()), 0);
    assert_eq!(number("two too many".into()), 0);
    assert_eq!(number("s65534".into()), 65_534);
    // Equal messages about one place are shown once.
    assert_eq!(out.finish().len(), 1);
}
