//! The batch of bids that one statement compares and writes.

use std::collections::HashMap;

use super::Statement;
use super::links::Link;
use crate::db::{AuctionStand, DbError, Script};
use crate::ids::AuctionId;

/// A batch that holds nothing before its commit, which looks whether all stands as it was believed to.
#[derive(Debug)]
pub(in crate::db) struct Batch {
    pub(in crate::db) link: Link,
    pub(super) believed: HashMap<AuctionId, AuctionStand>,
}

impl Batch {
    /// Does the script in one durable transaction.
    ///
    /// # Errors
    /// `Overtaken` where something does not stand as it was believed to. After any error but that of a broken
    /// connection nothing was done.
    pub(in crate::db) async fn commit(self, script: &Script) -> Result<(), DbError> {
        let Self { mut link, believed } = self;
        // What sees what was done before, as a closing does, takes more than one statement: held, it is done in a
        // transaction.
        let [part] = &*script.parts else { return Err(DbError::Overtaken) };
        let statement = Statement::believing(&believed, part)?;
        let stood = statement.run(link.connection(), &script.told).await?;
        link.answered();
        if stood { Ok(()) } else { Err(DbError::Overtaken) }
    }
}
