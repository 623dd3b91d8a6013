//! Grants or takes an amount.

use std::borrow::Cow;

use rules_engine::money::{Literal, Normalized};
use rules_engine::pot::{self, Everyone, Grant, Holding, RunParams};
use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use super::notify::notify;
use crate::books::access::authorize;
use crate::books::amount::{SIGNED, member};
use crate::books::caps::Limits;
use crate::books::posting::{EntryRange, Posted, Posting};
use crate::books::runs::{NewRun, RunKind, WithoutEntry};
use crate::books::state::OutOfBounds;
use crate::books::{Entry, store};
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::DbError;
use platform::fields::{Fault, FieldError, Fields, Object};
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

const HOLDERS: &str = "holders";
const AMOUNT: &str = "amount";
const ALL: &str = "ALL";

/// The entries that a request asks for.
#[derive(Debug, Clone, Default)]
pub struct GrantBody {
    holders: Option<Receivers>,
    amount: Option<Literal>,
    reason: String,
}

/// `"ALL"` or a list of users.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Receivers {
    All,
    Some(Vec<String>),
}

impl Serialize for Receivers {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::All => serializer.serialize_str(ALL),
            Self::Some(ids) => ids.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Receivers {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Receivers;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("\"ALL\" or a list of the ids of holders")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Receivers, E> {
                if text == ALL { Ok(Receivers::All) } else { Err(E::custom("must be \"ALL\" or a list")) }
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Receivers, A::Error> {
                let mut ids = Vec::new();
                while let Some(id) = list.next_element()? {
                    ids.push(id);
                }
                Ok(Receivers::Some(ids))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

impl PartialSchema for Receivers {
    fn schema() -> RefOr<Schema> {
        let all = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([ALL]));
        let id = ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::Custom("uuid".to_owned())));
        OneOfBuilder::new().item(all).item(ArrayBuilder::new().items(id)).into()
    }
}

impl ToSchema for Receivers {
    fn name() -> Cow<'static, str> {
        "BookReceivers".into()
    }
}

impl Shape for GrantBody {
    const NAME: &'static str = "NewBookEntries";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .required(HOLDERS, &mut self.holders)
            .of::<Receivers>()
            .about("`ALL`, everyone in the list of holders, or the ids of some.");
        members.required(AMOUNT, &mut self.amount).or_number().about(
            "A decimal in base units, which may be negative: |d| ≤ 10^15, at most 13 fraction digits.",
        );
        members.text("reason", 1..=500, &mut self.reason);
    }
}

refusals! {
    /// Why nothing is granted.
    pub enum GrantRefusal {
        Closed => codes::CLOSED, "The book is closed: it takes no more entries.";
    }
}

/// Writes one GRANT for each holder, or none at all. Grants to several holders are a run.
pub async fn grant(
    context: &Context,
    book_id: BookId,
    user: UserId,
    body: impl Body,
) -> Result<Created<Vec<Entry>>, VerbError<GrantRefusal>> {
    let now = context.clock.now();
    let mut conn = context.db.read().await?;
    authorize(&mut conn, book_id, user).await?.require_keeper()?;
    let (keyed, object) = (body.keyed(), body.read()?);
    let rows = match object.get(HOLDERS) {
        Some(Receivers::All) => store::holders::all(&mut conn, book_id).await?.len(),
        Some(Receivers::Some(ids)) => ids.len(),
        None => 0,
    };
    drop(conn);
    let _turn = context.work.begin_large_write(user, rows).await?;
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let creation = Creation::find(&mut db, user, format!("entries/{book_id}"), keyed?, now).await?;
    creation.require_key()?;
    if let Some(EntryRange { first, last }) = creation.replays() {
        return Ok(Created::replayed(store::entries::between(&mut db, book_id, first, last).await?));
    }
    let (receivers, amount, reason) = parse(object)?;
    creation.check_key()?;
    if seen.book.is_closed() {
        return Err(GrantRefusal::Closed.into());
    }
    let everyone = store::holders::all(&mut db, book_id).await?;
    let (holders, to) = match receivers {
        Receivers::All => (everyone, Everyone::All),
        Receivers::Some(ids) => {
            let chosen = chosen(&ids, &everyone)?;
            let to = chosen.iter().map(UserId::to_string).collect();
            (chosen, Everyone::Some(to))
        }
    };
    let run =
        if holders.len() > 1 { Some(store::runs::last_number(&mut db, book_id).await? + 1) } else { None };
    let mut posting = Posting::locked(&mut db, book_id, holders.iter().copied()).await?;
    let limits = Limits::of(&mut db, &seen.book, now).await?;
    let holding = |holder: &UserId| {
        let balance = posting.book.funds(*holder)?.balance;
        Ok::<_, DbError>(Holding { id: holder.to_string(), balance, given: limits.given(*holder) })
    };
    let holdings = holders.iter().map(holding).collect::<Result<Vec<_>, _>>()?;
    let asked = RunParams::Grant(Grant { digits: None, amount, to: Everyone::All });
    let beyond = || vec![FieldError::new(AMOUNT, "takes the balance of a holder beyond 10^15")];
    let computed = pot::compute(&asked, limits.caps.as_ref(), &holdings, None).map_err(|_| beyond())?;
    let mut without = Vec::new();
    for ((position, row), holder) in (0_i64..).zip(&computed.rows).zip(holders) {
        if row.amount == Normalized::ZERO {
            let (asked, balance) = (row.asked, row.after);
            without.push(WithoutEntry { position, holder_id: holder, asked, balance });
            continue;
        }
        let posted = posting.book.grant_capped(holder, (row.asked, row.amount), reason.clone(), user, run);
        posted.map_err(|OutOfBounds| beyond())?;
    }
    if without.len() == computed.rows.len() {
        let nothing = "is an amount of which the caps of the book leave nothing";
        return Err(vec![FieldError::new(AMOUNT, nothing)].into());
    }
    let Posted { range, entries } = posting.write(&mut db, now).await?;
    if let Some(number) = run {
        let params = RunParams::Grant(Grant { digits: None, amount, to }).json();
        let run =
            NewRun { reason: Some(&reason), by: Some(user), ..NewRun::of(number, RunKind::Grant, &params) };
        store::runs::insert(&mut db, book_id, &run, &without, now).await?;
    }
    creation.record(&mut db, range, now).await?;
    let signal = notify(context, &mut db, &seen.book, &entries, user, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    let mut conn = context.db.read().await?;
    Ok(Created::new(store::entries::between(&mut conn, book_id, range.first, range.last).await?))
}

fn parse(object: Object) -> Result<(Receivers, Normalized, String), VerbError<GrantRefusal>> {
    let mut fields = Fields::of(object);
    let mut body = GrantBody::default();
    shape::read(&mut body, &mut fields);
    let amount = member(&mut fields, AMOUNT, body.amount.as_ref(), &SIGNED);
    if amount == Some(Normalized::ZERO) {
        fields.report(FieldError::new(AMOUNT, "must not be 0").because(Fault::Invalid));
    }
    if body.holders == Some(Receivers::Some(Vec::new())) {
        fields.report(FieldError::missing(HOLDERS));
    }
    fields.finish()?;
    // INVARIANT: a required member that is absent is an error.
    let receivers = body.holders.ok_or_else(|| VerbError::from(Vec::new()))?;
    Ok((receivers, amount.unwrap_or_default(), body.reason))
}

/// The holders with these ids, each once.
fn chosen(ids: &[String], holders: &[UserId]) -> Result<Vec<UserId>, Vec<FieldError>> {
    let mut chosen = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        let id = id.parse().ok().filter(|id| holders.contains(id));
        let id = id.ok_or_else(|| {
            vec![
                FieldError::new(format!("{HOLDERS}.{at}"), "must be the id of a holder")
                    .because(Fault::Invalid),
            ]
        })?;
        if !chosen.contains(&id) {
            chosen.push(id);
        }
    }
    Ok(chosen)
}
