//! People as others see them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::UserId;
use crate::store::ERASED_NAME;

/// A user as others see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: UserId,
    pub name: String,
}

impl Person {
    /// The name of a deleted account.
    pub const DELETED: &str = ERASED_NAME;
}

/// A person in responses.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Person)]
pub struct PersonDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: UserId,
    pub name: String,
}

impl From<Person> for PersonDocument {
    fn from(person: Person) -> Self {
        Self { id: person.id, name: person.name }
    }
}
