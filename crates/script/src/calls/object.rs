//! Values of the crates above, such as a level that a test plays.

use super::*;
use std::any::Any;

/// A type whose values scripts hold without knowing what is in them.
pub trait ObjectType: Any + Send + Sync {
    /// What its calls belong to in the reference. Each type has its own owner.
    const OWNER: Owner;
}

/// Nothing that anything could be called on.
impl ObjectType for () {
    const OWNER: Owner = Owner::Free;
}

/// A value of an [`ObjectType`]. A language needs only its owner, by which scripts find its calls. Copies share the value.
#[derive(Clone)]
pub struct Object {
    owner: Owner,
    value: Arc<dyn Any + Send + Sync>,
}

impl Object {
    /// A value as scripts hold it.
    pub fn new<T: ObjectType>(value: T) -> Self {
        Self { owner: T::OWNER, value: Arc::new(value) }
    }

    /// The owner of its calls.
    pub fn owner(&self) -> Owner {
        self.owner
    }

    /// The value, if it has this type.
    pub fn get<T: ObjectType>(&self) -> Option<&T> {
        self.value.downcast_ref()
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Object").field(&self.owner).finish()
    }
}
