//! The table of calls: everything that behaviors can read and do, for any script language.
//!
//! A [`Call`] is an entry of the reference with its function. The function takes what the call is made on and neutral
//! arguments ([`Args`]), and returns a neutral [`CallAnswer`] or a [`CallRefusal`]. It charges its operations to the
//! [budget](super::budget) of the running call. So what a call does, what it costs and what its messages say are the same
//! in every language.
//!
//! Calls are typed by what they are made on. Calls on `me` and on modules take a [`CallMoment`], members of another
//! entity its view. A language converts its values to arguments and answers to its values, and calls [`Call::answer`] and
//! [`Call::write`]. The moment is opened once in each phase ([`CallMoment::open`]) and pointed at each entity
//! ([`MeState::point_at`]), until [`MeState::finish`] gives its decision the commands of that call.
//!
//! A crate above adds calls on its own types, such as the levels that a test plays: an [`ObjectType`] and a table of
//! [`ObjectCalls`]. A language binds any such table. It knows the values as [`Object`]s.
//!
//! Each file covers one topic.

mod actions;
mod answer;
mod arg;
mod arguments;
mod camera;
mod catalog;
mod drawing;
mod entries;
mod event_names;
mod input;
mod jumps;
mod kept_later;
mod lent;
mod mark;
mod me;
mod moment;
mod object;
mod own_jumps;
mod plain_data;
mod prices;
mod properties;
mod sequences;
mod setters;
mod settings;
mod sounds;
mod table;
mod throws;
mod timers;
mod tuning;
mod world;
mod world_view;

use crate::api::EntryKind;
pub use answer::{Answered, CallAnswer, fields_of_hook};
pub use arg::{Arg, ForeignValue, NotPlain, VisitEntry, VisitItem, finite_value, vector_value};
pub use arguments::{Args, action, any_model, parameter, unknown_axis};
pub use catalog::{behavior_calls, find_call, find_member};
pub use drawing::{NAMED_COLORS, check_color, color_text};
pub use event_names::{check_custom_event, check_event_filter};
use hangtime_core::{
    level::View,
    models::{Actions, ModelName, OwnActions, ballistic::PlanWork},
    sim::{EntityId, KeptValues, Players, Scene},
};
pub use lent::{with_lent, with_moment};
pub use mark::{MomentCounts, MomentMark};
pub use me::{MeState, no_level_member};
pub use moment::CallMoment;
pub use object::{Object, ObjectType};
pub use prices::price_of;
pub use properties::{ENTITY_PROPERTIES, EntityProperty, READ_IN_TESTS, is_level_member};
pub use sequences::WAITS;
pub use settings::check_call_setting;
use std::{fmt, sync::Arc};
pub use table::{Call, CallOwner, CallTable, ForeignCalls, ObjectCalls, refuse_write};
pub use timers::{MAX_ALL_TIMERS, MOST_TIMER_DATA};
pub use tuning::{check_setting, check_tunable};
pub use world::{MAX_EMITTED, MOST_EVENT_DATA, PER_EVENT, event_data, kept_data, kept_name};
pub use world_view::{Interest, WorldView, not_in_rules};

// What the files of this room use in every topic.
use crate::{
    Accepted, Allowed, CallRefusal, Vector, add_calls,
    api::{Access, ApiEntry, ApiSet, Field, Names, Owner, Param, Shape, Topic, Type, param},
    budget::{charge, charge_tick},
    fields,
    message::names::suggestion,
    prose, refuse,
};
use arguments::{NamedParameter, check_height};
use entries::{ACTION, AXIS, DATA, KEPT_NAME, KIND, OWN_EVENT, X, X1, X2, Y, Y1, Y2, of_me, of_world};
use glam::DVec2;
use hangtime_core::sim::{Command, EntityView, Value};
use plain_data::plain_data;
pub use plain_data::same_data;
