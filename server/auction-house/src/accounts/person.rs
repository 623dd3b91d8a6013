//! People as others see them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::UserId;

/// A user as others see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: UserId,
    pub name: String,
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
