//! The macro that declares values with names.

/// Declares an enum whose values have names in scripts, files and traces. Its function with the given name returns them.
macro_rules! named {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident, $name:ident {
            $( $(#[$note:meta])* $Value:ident = $text:literal, )*
        }
    ) => {
        $(#[$meta])*
        pub enum $Name {
            $( $(#[$note])* $Value, )*
        }

        impl $Name {
            /// All values.
            pub const ALL: [Self; [$( $text, )*].len()] = [$( Self::$Value, )*];

            /// The name in scripts, files and traces.
            pub const fn $name(self) -> &'static str {
                match self { $( Self::$Value => $text, )* }
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.$name())
            }
        }

        /// Compares by the name.
        impl PartialEq<&str> for $Name {
            fn eq(&self, name: &&str) -> bool {
                self.$name() == *name
            }
        }
    };
}

pub(crate) use named;
