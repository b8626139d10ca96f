//! What models are called, and their words for what a body is doing.

use super::{Model, ModelName, for_every_model};

macro_rules! define_modes {
    ($($field:ident: $Model:ty,)*) => {
        impl ModelName {
            /// Its words for what a body is doing.
            #[must_use]
            pub const fn modes(self) -> &'static [&'static str] {
                match self { $( Self::$field => <$Model as Model>::MODES, )* }
            }
        }
    };
}

for_every_model!(define_modes);

impl ModelName {
    /// The model with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|m| m.as_str() == name)
    }
}
