//! The capability to follow a planned flight.

use super::Flight;

/// A model whose bodies follow a planned flight. `S` is its state.
pub trait Flying<S> {
    /// Starts a flight. The caller has already placed the body at its origin.
    fn launch(&self, state: &mut S, flight: &Flight);
}
