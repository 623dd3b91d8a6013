//! Groups where the sale has a say: their people are members of their auctions and holders of their books,
//! and a managed user is erased like any other (SPEC, section 14).

pub mod access;
pub mod create;
pub mod delete;
pub mod document;
pub mod join;
pub mod open;
pub mod patch;
pub mod people;
pub mod removed;
pub mod renew_code;
pub mod routes;

use accounts::locks::lock_group;
use platform::db::{DbError, Transaction};

use crate::auctions::group::OfGroup;
use crate::auctions::store::open_of_group;
use crate::context::Context;
use crate::ids::{AuctionId, GroupId};
use crate::locks::LockingWrites;

/// How often the auctions of a group are read again that have changed before they were locked.
const TRIES: usize = 5;

/// A transaction with a group and its open auctions locked.
pub struct GroupWrite {
    pub db: Transaction,
    /// The open auctions of the group.
    pub auctions: Vec<OfGroup>,
}

impl GroupWrite {
    /// Other auctions may be locked as well.
    pub async fn begin(context: &Context, group_id: GroupId, others: &[AuctionId]) -> Result<Self, DbError> {
        for _ in 0..TRIES {
            let auctions = open_of_group(&mut context.db.read().await?, group_id).await?;
            let locked: Vec<_> =
                auctions.iter().map(|auction| auction.id).chain(others.iter().copied()).collect();
            let mut db = context.db.write_in(&locked).await?;
            lock_group(&mut db, group_id).await?;
            if open_of_group(&mut db, group_id).await? == auctions {
                return Ok(Self { db, auctions });
            }
        }
        Err(DbError::Overtaken)
    }

    /// The ids of the open auctions.
    pub fn auction_ids(&self) -> Vec<AuctionId> {
        self.auctions.iter().map(|auction| auction.id).collect()
    }
}
