//! People as others see them.

use crate::ids::UserId;

/// A user as others see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: UserId,
    pub name: String,
}
