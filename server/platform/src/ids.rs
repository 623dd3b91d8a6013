//! Kinds of ids. All are UUIDv7, written in lower case with hyphens.

pub use uuid::Uuid;
use uuid::fmt::Hyphenated;

/// The text is no UUID.
pub type NoId = uuid::Error;

/// An id as it is written, kept without the heap: a batch of bids writes hundreds.
#[derive(Debug, Clone, Copy)]
pub struct IdText([u8; Hyphenated::LENGTH]);

impl IdText {
    pub fn of(id: Uuid) -> Self {
        let mut text = [0; Hyphenated::LENGTH];
        id.hyphenated().encode_lower(&mut text);
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        // Always ASCII.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// Declares kinds of ids, in alphabetical order.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
            #[serde(transparent)]
            pub struct $name($crate::ids::Uuid);

            impl $name {
                pub fn new(now: $crate::time::Moment) -> Result<Self, $crate::random::NoEntropy> {
                    Ok(Self($crate::random::new_id(now)))
                }

                pub fn text(self) -> $crate::ids::IdText {
                    $crate::ids::IdText::of(self.0)
                }

                pub fn uuid(self) -> $crate::ids::Uuid {
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
