//! Enums that the API spells as text.

/// Declares an enum with the API's spelling of each value: `FromStr` and serde read it, serde and `as_str` write it.
macro_rules! wire_enum {
    ($(#[$about:meta])* $name:ident { $($(#[$value_about:meta])* $value:ident = $spelling:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$value_about])* #[serde(rename = $spelling)] $value,)+
        }

        impl $name {
            /// The API's spelling.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $spelling,)+
                }
            }
        }

        impl FromStr for $name {
            type Err = UnknownSpelling;

            fn from_str(text: &str) -> Result<Self, UnknownSpelling> {
                match text {
                    $($spelling => Ok(Self::$value),)+
                    _ => Err(UnknownSpelling),
                }
            }
        }
    };
}

pub(super) use wire_enum;

/// The text is not the API's spelling of any value of the enum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownSpelling;

#[cfg(test)]
mod tests {
    use crate::model::{RunState, UnknownSpelling};

    #[test]
    fn a_spelling_is_read_and_written_alike() {
        let state: RunState = "ROLLED_BACK".parse().expect("a state");
        assert_eq!(state, RunState::RolledBack);
        assert_eq!(serde_json::to_string(&state).expect("text"), "\"ROLLED_BACK\"");
        assert_eq!("RolledBack".parse::<RunState>(), Err(UnknownSpelling));
    }
}
