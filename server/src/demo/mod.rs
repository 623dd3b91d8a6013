//! The demo: users, auctions in many currencies, a class, a hall and a guild, with the bids of the last days.

mod builder;
mod drawing;
pub mod fixtures;
mod sales;
mod story;
mod window;

use accounts::hashing::{HashError, HashingClient};
use accounts::password::{NoPassword, OwnPassword, Password};
use builder::DemoBuilder;
use fixtures::{FixtureError, Fixtures};
use platform::db::DbError;
use story::Story;

use crate::pages::demo::DemoWindow;
use crate::state::AppState;

#[derive(Debug, PartialEq, Eq)]
pub enum Demo {
    /// The database contains the demo, created now or at an earlier start.
    Present(DemoWindow),
    /// The database contains other data and was not changed.
    NotAdded,
}

#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error("can't read the demo's story: {0}")]
    Story(#[from] serde_json::Error),
    #[error("the demo's story has no people")]
    NoPeople,
    #[error("the demo's story does not define `{0}`")]
    UnknownName(String),
    #[error("the demo's story has an invalid password: {0}")]
    InvalidPassword(NoPassword),
    #[error("the demo's story has an invalid PIN: {0}")]
    InvalidPin(String),
    #[error("the demo's story has an invalid bid: {0}")]
    InvalidBid(String),
    #[error("can't start the bid queue, or draw a picture: {0}")]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Fixture(#[from] FixtureError),
}

/// Fills an empty database. A database that contains anything is not changed.
pub async fn fill(state: &AppState) -> Result<Demo, DemoError> {
    let story = story::read()?;
    if !Fixtures::new(state.context.clone()).database_is_empty().await? {
        let first = &story.people.first().ok_or(DemoError::NoPeople)?.email;
        let email = first.parse().map_err(|_| FixtureError::Email(first.clone()))?;
        let mut db = state.context.db.read().await?;
        let is_present = accounts::user::store::email_is_taken(&mut db, &email).await?;
        drop(db);
        return Ok(if is_present {
            Demo::Present(window::read(state, &story).await?)
        } else {
            Demo::NotAdded
        });
    }
    let password = password(&story).map_err(DemoError::InvalidPassword)?;
    let password_hash = state.accounts.passwords.hash(HashingClient::Process, password).await?;
    let mut pin_hashes = Vec::new();
    for group in &story.groups {
        let pin = group.pin.parse().map_err(|_| DemoError::InvalidPin(group.name.clone()))?;
        pin_hashes.push(state.accounts.passwords.hash_pin(HashingClient::Process, &pin).await?);
    }
    let builder = DemoBuilder::start(&state.context, &state.images, &story, &password_hash).await?;
    builder.build(story, &pin_hashes).await?;
    Ok(Demo::Present(window::read(state, &story::read()?).await?))
}

/// The password of all people, which is the e-mail or the name of none of them.
fn password(story: &Story) -> Result<OwnPassword, NoPassword> {
    let password: Password = story.password.parse()?;
    let mut own = password.clone().of("", "", &[])?;
    for person in &story.people {
        own = password.clone().of(&person.email, &person.name, &[])?;
    }
    Ok(own)
}
