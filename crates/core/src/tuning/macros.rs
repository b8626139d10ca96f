//! The macro that declares tunables.

/// Declares a group of tunables as a struct that implements [`crate::tuning::Tunables`].
///
/// Each line is one tunable: doc, name, type, default, unit, range. `include` adds the tunables of
/// another group under their own names.
///
/// ```text
/// tunables! {
///     /// How far a thing flies.
///     pub struct FlightTuning {
///         include fall: FallTuning;
///         /// Speed at the start. Too high and it leaves the level.
///         speed: f64 = 300.0, "px/s", SPEED;
///     }
/// }
/// ```
macro_rules! tunables {
    (
        $(#[$meta:meta])*
        pub struct $Group:ident {
            $( include $part:ident: $Part:ty; )*
            $(
                $(#[doc = $doc:literal])+
                $name:ident: $Type:ty = $default:expr, $unit:literal, $range:expr;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Group {
            $(
                #[doc = concat!("The tunables of [`", stringify!($Part), "`].")]
                pub $part: $Part,
            )*
            $( $(#[doc = $doc])+ pub $name: $Type, )*
        }

        impl Default for $Group {
            fn default() -> Self {
                Self { $( $part: Default::default(), )* $( $name: $default, )* }
            }
        }

        impl $crate::tuning::Tunables for $Group {
            fn list() -> Vec<$crate::tuning::Tunable> {
                let own: Vec<$crate::tuning::Tunable> = vec![$({
                    let default: $Type = $default;
                    $crate::tuning::Tunable {
                        name: stringify!($name),
                        unit: $unit,
                        range: $range,
                        default: $crate::tuning::TunableValue::setting(&default),
                        doc: concat!($($doc, "\n"),+).trim_ascii(),
                    }
                }),*];
                let parts: [Vec<$crate::tuning::Tunable>; _] =
                    [$( <$Part as $crate::tuning::Tunables>::list() ),*];
                own.into_iter().chain(parts.into_iter().flatten()).collect()
            }

            fn set(
                &mut self,
                name: &str,
                value: &$crate::tuning::Setting,
            ) -> Result<(), $crate::tuning::SetError> {
                use $crate::tuning::{SetError, Setting, TunableValue};
                match name {
                    $(
                        stringify!($name) => {
                            let range: $crate::tuning::Range = $range;
                            if let Setting::Number(x) = value
                                && !(*x >= range.min && *x <= range.max)
                            {
                                return Err(SetError::Range(range, $unit));
                            }
                            self.$name =
                                <$Type as TunableValue>::from_setting(value)?;
                            Ok(())
                        }
                    )*
                    _ => {
                        $(
                            match $crate::tuning::Tunables::set(&mut self.$part, name, value) {
                                Err(SetError::Unknown) => {}
                                done => return done,
                            }
                        )*
                        Err(SetError::Unknown)
                    }
                }
            }

            fn get(&self, name: &str) -> Option<$crate::tuning::Setting> {
                match name {
                    $(
                        stringify!($name) => {
                            Some($crate::tuning::TunableValue::setting(&self.$name))
                        }
                    )*
                    _ => {
                        $(
                            if let found @ Some(_) =
                                $crate::tuning::Tunables::get(&self.$part, name)
                            {
                                return found;
                            }
                        )*
                        None
                    }
                }
            }
        }
    };
}

/// Makes the words of a [named](crate::named) enum the values of a tunable.
macro_rules! words {
    ($Words:ident) => {
        impl $crate::tuning::TunableValue for $Words {
            fn from_setting(value: &$crate::tuning::Setting) -> Result<Self, $crate::tuning::SetError> {
                let words = Self::ALL.map(|word| (word, $crate::tuning::TunableValue::setting(&word)));
                let known = words.iter().find(|(_, setting)| setting == value);
                let all = || words.each_ref().map(|(_, setting)| setting.to_string()).join(" or ");
                known.map(|(word, _)| *word).ok_or_else(|| $crate::tuning::SetError::Type(all()))
            }
            fn setting(&self) -> $crate::tuning::Setting {
                $crate::tuning::Setting::Word(self.as_str().into())
            }
        }
    };
}

pub(crate) use tunables;
pub(crate) use words;
