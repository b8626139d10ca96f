//! Questions for routes.

use super::*;

/// A question for a route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteOrder {
    /// The kind of the body, one of [`Stage::kinds`].
    pub kind: Arc<str>,
    /// Where its center is, px: the route starts at the nearest rest position.
    pub from: DVec2,
    /// Where its center is to come, px: the route leads to the nearest rest position.
    pub to: DVec2,
}
