//! Id types. All ids are UUIDv7, so that they sort by creation. As text they are in lower case with hyphens;
//! the database stores 16 bytes.

pub use uuid::Uuid;

/// The text is not a UUID.
pub type NoId = uuid::Error;

/// An id type.
pub trait Id: Copy {
    fn of(uuid: Uuid) -> Self;
    fn uuid(self) -> Uuid;
}

impl Id for Uuid {
    fn of(uuid: Uuid) -> Self {
        uuid
    }

    fn uuid(self) -> Uuid {
        self
    }
}

/// Declares id types, in alphabetical order.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(
                Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
                sqlx_macros::Type,
            )]
            #[serde(transparent)]
            #[sqlx(transparent)]
            pub struct $name($crate::ids::Uuid);

            impl $name {
                pub fn new(now: $crate::time::Moment) -> Self {
                    Self($crate::random::new_id(now))
                }
            }

            impl $crate::ids::Id for $name {
                fn of(uuid: $crate::ids::Uuid) -> Self {
                    Self(uuid)
                }

                fn uuid(self) -> $crate::ids::Uuid {
                    self.0
                }
            }

            impl std::fmt::Display for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    self.0.fmt(f)
                }
            }

            impl std::str::FromStr for $name {
                type Err = $crate::ids::NoId;

                fn from_str(text: &str) -> Result<Self, Self::Err> {
                    text.parse().map(Self)
                }
            }
        )*
    };
}

crate::ids! {
    UserId;
}

impl UserId {
    /// Stands for a viewer without an account. INVARIANT: no user has it, since it is no UUIDv7. So nothing
    /// belongs to this viewer, who is no member of anything.
    pub const NOBODY: Self = Self(Uuid::nil());
}
