//! The table of calls: everything that behaviors and tests can read and do, for any script language.
//!
//! A [`Call`] is an entry of the reference with its function. The function takes the [`CallMoment`] of the entity whose
//! script runs and neutral arguments ([`Arg`]), and returns a neutral [`CallAnswer`] or a
//! [`CallRefusal`](super::CallRefusal). It charges its operations to the [budget](super::budget) of the running call. So
//! what a call does, what it costs and what its messages say are the same in every language.
//!
//! A language converts its values to arguments and answers to its values, and calls [`Call::answer`], [`Call::see`] and
//! [`Call::write`]. It opens the moment once in each phase ([`CallMoment::open`]) and points it at each entity
//! ([`MeState::point_at`]), which lends it the view and the list of orders of that call until [`MeState::finish`].
//!
//! A test script opens levels with a [`TestSession`] ([`Call::open`]), and uses members of a [`TestLevel`]
//! ([`Call::ask`]) and of the entities in it, [`LiveEntity`] ([`Call::look`]).
//!
//! Each file covers one topic.

mod actions;
mod answer;
mod arg;
mod arguments;
mod catalog;
mod drawing;
mod entries;
mod event_names;
mod input;
mod jumps;
mod kept_later;
mod mark;
mod me;
mod moment;
mod own_jumps;
mod plain_data;
mod play;
mod prices;
mod properties;
mod setters;
mod sounds;
mod table;
mod timers;
mod tuning;
mod world;
mod world_view;

pub use answer::{Answered, CallAnswer, fields_of_hook};
pub use arg::{Arg, ForeignValue, NotPlain, VisitEntry, finite_value, vector_value};
pub use arguments::{
    action, any_model, any_number, check_height, exactly, finite, finite_vector, parameter, point, text, unknown_axis,
};
pub use catalog::{behavior_calls, find_call, finished_calls, test_calls};
pub use drawing::{NAMED_COLORS, check_color, check_draw_option};
pub use event_names::{check_custom_event, check_event_filter};
pub use mark::MomentMark;
pub use me::{Checkpoint, MeState, no_level_member};
pub use moment::CallMoment;
pub use play::{HeldSnapshot, LiveEntity, MayEmit, TestLevel, TestRecord, TestSession, UncheckedExpectation};
pub use prices::price_of;
pub use properties::{ENTITY_PROPERTIES, EntityProperty, READ_IN_TESTS, is_level_member};
pub use table::{Call, refuse_write};
pub use timers::{MAX_ALL_TIMERS, MOST_TIMER_DATA};
pub use tuning::{check_setting, check_tunable};
pub use world::{PER_EVENT, check_spawn_setting, event_data};
pub use world_view::{Interest, WorldView, not_in_rules};
