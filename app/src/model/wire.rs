//! Documents that the server writes and islands read: enums that are spelled as text, and objects.

/// Declares an enum with the API's spelling of each value: `FromStr` and `ReadJson` read it, serde and
/// `as_str` write it.
macro_rules! wire_enum {
    ($(#[$about:meta])* $name:ident { $($(#[$value_about:meta])* $value:ident = $spelling:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
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

        impl std::str::FromStr for $name {
            type Err = $crate::model::UnknownSpelling;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($spelling => Ok(Self::$value),)+
                    _ => Err($crate::model::UnknownSpelling),
                }
            }
        }

        impl rules_engine::shape::ReadJson for $name {
            fn read_json(
                reader: &mut rules_engine::shape::JsonReader<'_>,
            ) -> rules_engine::shape::Read<Self> {
                reader.constant("unknown spelling")
            }
        }
    };
}

/// Declares an object once: the struct and its `ReadJson`, which ignores further members. A member has the
/// name of its field, or the name after `=`.
macro_rules! wire_struct {
    ($(#[$about:meta])* $vis:vis struct $name:ident {
        $($(#[$field_about:meta])* $field_vis:vis $field:ident $(= $json:literal)?: $type:ty,)+
    }) => {
        $(#[$about])*
        $vis struct $name {
            $($(#[$field_about])* $field_vis $field: $type,)+
        }

        impl rules_engine::shape::ReadJson for $name {
            fn read_json(
                reader: &mut rules_engine::shape::JsonReader<'_>,
            ) -> rules_engine::shape::Read<Self> {
                const NAMES: &[&str] = &[$($crate::model::wire_name!($field $($json)?),)+];
                $(let mut $field: Option<$type> = None;)+
                reader.open_object(NAMES, &mut |reader, place| {
                    let mut places = 0_usize..;
                    $(if places.next() == Some(place) {
                        $field = Some(rules_engine::shape::ReadJson::read_json(reader)?);
                        return Ok(());
                    })+
                    Ok(())
                })?;
                Ok(Self {
                    $($field: reader.required(
                        $field.or_else(rules_engine::shape::ReadJson::absent),
                        $crate::model::wire_name!($field $($json)?),
                    )?,)+
                })
            }
        }
    };
}

/// The name of a member.
macro_rules! wire_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $json:literal) => {
        $json
    };
}

pub(crate) use {wire_enum, wire_name, wire_struct};

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
