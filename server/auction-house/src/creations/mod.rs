//! Idempotent creation: a request that is repeated with its idempotency key creates one resource. The answer
//! is kept for three days, in the transaction that creates the resource.

pub mod calls;
mod store;

use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::fields::{FieldError, Object};
use platform::idempotency::{IdempotencyKey, KeyedRequest};
use platform::ids::{Id, Uuid};
use platform::time::Moment;
use platform::verb::VerbError;

use crate::ids::{ItemId, UserId};

/// Keys are kept for so long (SPEC, section 6).
const RETENTION_SECONDS: i64 = 72 * 3600;

/// A resource, and whether an earlier request with the same key created it.
#[derive(Debug, Clone)]
pub struct Created<T> {
    pub resource: T,
    pub replayed: bool,
}

impl<T> Created<T> {
    pub fn new(resource: T) -> Self {
        Self { resource, replayed: false }
    }

    pub fn replayed(resource: T) -> Self {
        Self { resource, replayed: true }
    }
}

/// A request to create a resource in a collection.
#[derive(Debug)]
pub struct Creation {
    scope: Scope,
    request: Option<KeyedRequest>,
    earlier: Option<Earlier>,
}

/// Where a key is unique.
#[derive(Debug)]
enum Scope {
    /// To a user, in a collection.
    Collection(UserId, String),
    /// To an item, for calls of its hall.
    Hall(ItemId),
}

/// An earlier request with the same key.
#[derive(Debug)]
struct Earlier {
    resource_id: Uuid,
    is_same: bool,
}

/// The key of a call on an item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallKey {
    pub item_id: ItemId,
    pub key: IdempotencyKey,
}

/// A call on an item.
#[derive(Debug, Clone)]
pub struct KeyedCall {
    pub item_id: ItemId,
    pub request: KeyedRequest,
    pub at: Moment,
}

impl KeyedCall {
    pub fn key(&self) -> CallKey {
        CallKey { item_id: self.item_id, key: self.request.key.clone() }
    }
}

impl Creation {
    /// Reads the body and the key, and looks for an earlier request with this key. The transaction has locked
    /// the collection, so that of two requests at once the second sees the first.
    pub async fn read<R>(
        db: &mut Transaction,
        user: UserId,
        collection: String,
        body: impl Body,
        now: Moment,
    ) -> Result<(Object, Self), VerbError<R>> {
        let keyed = body.keyed();
        let object = body.read()?;
        Ok((object, Self::find(db, user, collection, keyed?, now).await?))
    }

    /// Looks for an earlier request with the key of a body that is read already.
    pub async fn find(
        db: &mut Transaction,
        user: UserId,
        collection: String,
        request: Option<KeyedRequest>,
        now: Moment,
    ) -> Result<Self, DbError> {
        let earlier = match &request {
            Some(request) => {
                store::delete_before(db, now.plus_seconds(-RETENTION_SECONDS)).await?;
                store::find(db, user, &collection, request).await?
            }
            None => None,
        };
        Ok(Self { scope: Scope::Collection(user, collection), request, earlier })
    }

    /// Reads the body and the key of a further outcome of an item, and looks for an earlier call with this
    /// key on the item. The transaction has locked the auction.
    pub async fn read_call<R>(
        db: &mut Transaction,
        item_id: ItemId,
        body: impl Body,
        now: Moment,
    ) -> Result<(Object, Self), VerbError<R>> {
        let keyed = body.keyed();
        let object = body.read()?;
        let request = keyed?;
        let earlier = match request.clone().map(|request| KeyedCall { item_id, request, at: now }) {
            Some(call) => store::find_call(db, &call).await?,
            None => None,
        };
        Ok((object, Self { scope: Scope::Hall(item_id), request, earlier }))
    }

    /// The resource that an earlier request with this key and body created.
    pub fn replays<I: Id>(&self) -> Option<I> {
        let earlier = self.earlier.as_ref().filter(|earlier| earlier.is_same)?;
        Some(I::of(earlier.resource_id))
    }

    /// Refuses a request without a key, where one is required.
    pub fn require_key<R>(&self) -> Result<(), VerbError<R>> {
        match self.request {
            Some(_) => Ok(()),
            None => Err(vec![FieldError::missing("Idempotency-Key")].into()),
        }
    }

    /// Refuses a key that was sent with another body.
    pub fn check_key<R>(&self) -> Result<(), VerbError<R>> {
        if self.earlier.is_some() { Err(VerbError::KeyReused) } else { Ok(()) }
    }

    /// Keeps what the request created.
    pub async fn record(&self, db: &mut Transaction, resource: impl Id, now: Moment) -> Result<(), DbError> {
        let Some(request) = &self.request else { return Ok(()) };
        match &self.scope {
            Scope::Collection(user, collection) => {
                store::insert(db, *user, collection, request, resource, now).await
            }
            Scope::Hall(item_id) => {
                let call = KeyedCall { item_id: *item_id, request: request.clone(), at: now };
                store::insert_call(db, &call).await
            }
        }
    }
}
