//! Enums whose values are texts: in a column, in JSON and in an address.

use std::fmt;

/// Declares an enum with the text of each value. Yields `ALL`, `as_str`, `FromStr`, and the traits of serde,
/// utoipa and sqlx.
///
/// ```
/// platform::text_enum! {
///     /// The state of a lamp.
///     #[derive(Default)]
///     pub enum Lamp {
///         #[default]
///         Off = "OFF",
///         On = "ON",
///     }
/// }
/// assert_eq!("ON".parse(), Ok(Lamp::On));
/// ```
#[macro_export]
macro_rules! text_enum {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            // A literal in a group, as of the fragment `literal`, is unreadable to utoipa's derive.
            $($(#[$value_about:meta])* $value:ident = $text:tt,)+
        }
    ) => {
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
        )]
        $(#[$about])*
        pub enum $name {
            $($(#[$value_about])* #[serde(rename = $text)] $value,)+
        }

        impl $name {
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$value),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)+
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::text_enum::UnknownText;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$value),)+
                    _ => Err($crate::text_enum::UnknownText { texts: &[$($text),+] }),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl From<$name> for $crate::db::Value {
            fn from(value: $name) -> Self {
                value.as_str().into()
            }
        }

        $crate::text_column!($name);
    };
}

/// The text is not that of any value of the enum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownText {
    /// The texts of the values.
    pub texts: &'static [&'static str],
}

/// Lists the texts: `must be FREE, INVITE_ONLY or LINK`.
impl fmt::Display for UnknownText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be ")?;
        for (index, text) in self.texts.iter().enumerate() {
            let separator = match index {
                0 => "",
                _ if index + 1 == self.texts.len() => " or ",
                _ => ", ",
            };
            write!(f, "{separator}{text}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownText {}

#[cfg(test)]
mod tests {
    crate::text_enum! {
        /// The colour of a light.
        pub enum Light {
            Red = "RED",
            Amber = "AMBER",
            DarkGreen = "DARK_GREEN",
        }
    }

    #[test]
    fn a_text_is_read_and_written_alike() {
        for light in Light::ALL {
            assert_eq!(light.as_str().parse(), Ok(light));
            let json = serde_json::to_string(&light).unwrap();
            assert_eq!(json, format!("\"{light}\""));
            assert_eq!(serde_json::from_str::<Light>(&json).unwrap(), light);
        }
        let schema = serde_json::to_value(<Light as utoipa::PartialSchema>::schema()).unwrap();
        assert_eq!(schema["enum"], serde_json::json!(["RED", "AMBER", "DARK_GREEN"]));
    }

    #[test]
    fn an_unknown_text_is_answered_with_all_texts() {
        let error = "DarkGreen".parse::<Light>().unwrap_err();
        assert_eq!(error.to_string(), "must be RED, AMBER or DARK_GREEN");
    }
}
