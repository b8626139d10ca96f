//! Tests of `src/sim/journal.rs`.

use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn many_events_have_the_order_of_few(
        events in prop::collection::vec((0..40_u32, 0..5_u8, 0..30_u32), 0..700),
        apart in prop_oneof![Just(1), Just(70), Just(100_000_000_u32)],
    ) {
        let event = |(i, (entity, kind, other)): (usize, (u32, u8, u32))| {
            let name: Arc<str> = format!("{other}").into();
            let kind = match kind {
                0 => EventKind::Jump,
                1 => EventKind::Enter { zone: name },
                2 => EventKind::Leave { zone: name },
                3 => EventKind::Note { text: name },
                _ => EventKind::Touch { other: name, kind: "kind".into() },
            };
            // The tick tells equal events apart.
            Event { tick: i as u64, entity: EntityId(7 + entity * apart), name: "name".into(), kind }
        };
        let events = events.into_iter().enumerate().map(event).collect();
        let mut journal = Journal { events, deferred: vec![] };
        let mut expected = journal.clone();
        expected.events.sort_by(event_order);
        EventOrder::default().sort(&mut journal);
        prop_assert_eq!(journal, expected);
    }
}
