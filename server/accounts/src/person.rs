//! People as others see them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::UserId;

/// A user as others see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Person {
    pub id: UserId,
    pub name: String,
}

impl Person {
    /// The name that bids and items show of a deleted account.
    pub const DELETED: &str = "deleted user";
}

/// A person in responses.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Person)]
pub struct PersonDocument {
    /// Null where the viewer may know the number alone.
    #[schema(value_type = Option<String>, format = "uuid")]
    pub id: Option<UserId>,
    pub name: String,
    /// In the group of the auction. Null for a user who is not in it, and absent in an auction without a
    /// group.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>, required = false)]
    pub number: Option<Option<i64>>,
}

impl PersonDocument {
    /// The id as a cell of a table; empty where the viewer may not know it.
    pub fn id_cell(&self) -> String {
        self.id.map(|id| id.to_string()).unwrap_or_default()
    }
}

impl From<Person> for PersonDocument {
    fn from(person: Person) -> Self {
        Self { id: Some(person.id), name: person.name, number: None }
    }
}
