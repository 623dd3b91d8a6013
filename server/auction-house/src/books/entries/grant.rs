//! Grants or takes an amount.

use std::borrow::Cow;
use std::collections::HashMap;

use rules_engine::money::{Literal, Normalized};
use rules_engine::pot::{self, Everyone, Grant, Holding, RunParams};
use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::books::access::authorize;
use crate::books::amount::{SIGNED, member};
use crate::books::caps::CapLimits;
use crate::books::posting::EntryRange;
use crate::books::runs::draft::{Draft, Opened};
use crate::books::runs::{BookRunKind, NewRun, WithoutEntry};
use crate::books::state::OutOfBounds;
use crate::books::{BookView, Entry, store};
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::{Connection, DbError};
use platform::fields::{Fault, FieldError, Fields, Object};
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
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
    let mut conn = context.db.read().await?;
    authorize(&mut conn, book_id, user).await?.require_keeper()?;
    let (keyed, object) = (body.keyed(), body.read()?);
    // A repeated request gets its answer whatever it asks for now.
    let asked = parse(object);
    let rows = match &asked {
        Ok(AskedGrant { receivers: Receivers::All, .. }) => {
            usize::try_from(store::batch::holders(&mut conn, book_id).await?).unwrap_or(usize::MAX)
        }
        Ok(AskedGrant { receivers: Receivers::Some(ids), .. }) => ids.len(),
        Err(_) => 0,
    };
    drop(conn);
    let turn = context.work.begin_large_write(user, rows).await?;
    let now = context.clock.now();
    let drafted = match &asked {
        Ok(asked) if turn.is_some() => Some(draw_up_outside(context, (book_id, user), asked, now).await),
        _ => None,
    };
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let creation = Creation::find(&mut db, user, format!("entries/{book_id}"), keyed?, now).await?;
    creation.require_key()?;
    if let Some(EntryRange { first, last }) = creation.replays() {
        return Ok(Created::replayed(store::entries::between(&mut db, book_id, first, last).await?));
    }
    let asked = asked?;
    creation.check_key()?;
    let DraftedGrant { draft, run, without } = match drafted {
        Some(Err(refused)) => return Err(refused),
        Some(Ok(drafted)) if drafted.draft.is_current(&mut db).await? => drafted,
        _ => draw_up(&mut db, &seen, &asked, user, now).await?,
    };
    let (range, signal) = draft.write(context, &mut db, now).await?;
    if let Some((number, params)) = run {
        let run = NewRun {
            reason: Some(&asked.reason),
            by: Some(user),
            ..NewRun::of(number, BookRunKind::Grant, &params)
        };
        store::runs::insert(&mut db, book_id, &run, &without, now).await?;
    }
    creation.record(&mut db, range, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    let mut conn = context.db.read().await?;
    Ok(Created::new(store::entries::between(&mut conn, book_id, range.first, range.last).await?))
}

/// Draws up grants before their transaction. What is refused here is not judged again, while bids wait.
async fn draw_up_outside(
    context: &Context,
    (book_id, user): (BookId, UserId),
    asked: &AskedGrant,
    now: Moment,
) -> Result<DraftedGrant, VerbError<GrantRefusal>> {
    let (shared, asked) = (context.clone(), asked.clone());
    let drafted = context.work.run(async move {
        let mut db = shared.db.snapshot().await?;
        let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
        draw_up(&mut db, &seen, &asked, user, now).await
    });
    drafted.await?
}

/// Grants with their entries.
struct DraftedGrant {
    draft: Draft,
    /// The number and the parameters of the run of several grants.
    run: Option<(i64, String)>,
    without: Vec<WithoutEntry>,
}

/// Draws up the entries of grants.
async fn draw_up(
    conn: &mut Connection,
    seen: &BookView,
    AskedGrant { receivers, amount, reason }: &AskedGrant,
    user: UserId,
    now: Moment,
) -> Result<DraftedGrant, VerbError<GrantRefusal>> {
    let (book_id, amount) = (seen.book.id, *amount);
    if seen.book.is_closed() {
        return Err(GrantRefusal::Closed.into());
    }
    let everyone = store::holders::all(conn, book_id).await?;
    let (holders, to) = match receivers {
        Receivers::All => (everyone, Everyone::All),
        Receivers::Some(ids) => {
            let chosen = chosen(ids, everyone)?;
            let to = chosen.iter().map(UserId::to_string).collect();
            (chosen, Everyone::Some(to))
        }
    };
    let wanted: Vec<(BookId, UserId)> = holders.iter().map(|holder| (book_id, *holder)).collect();
    let balances = store::batch::balances(conn, &wanted).await?;
    let balances = balances.into_iter().map(|((_, holder), balance)| (holder, balance));
    let mut opened = Opened::read(conn, book_id, balances).await?;
    let run = (holders.len() > 1).then(|| opened.next_run());
    let limits = CapLimits::of(conn, &seen.book, now).await?;
    let holding = |holder: &UserId| {
        let balance = opened.book.funds(*holder)?.balance;
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
        let posted = opened.book.grant_capped(holder, (row.asked, row.amount), reason.clone(), user, run);
        posted.map_err(|OutOfBounds| beyond())?;
    }
    if without.len() == computed.rows.len() {
        let nothing = "is an amount of which the caps of the book leave nothing";
        return Err(vec![FieldError::new(AMOUNT, nothing)].into());
    }
    let params = RunParams::Grant(Grant { digits: None, amount, to });
    let run = run.map(|number| (number, params.json()));
    Ok(DraftedGrant { draft: opened.draft(conn, seen, user, now).await?, run, without })
}

/// The grants that are asked for.
#[derive(Clone)]
struct AskedGrant {
    receivers: Receivers,
    amount: Normalized,
    reason: String,
}

fn parse(object: Object) -> Result<AskedGrant, Vec<FieldError>> {
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
    let receivers = body.holders.ok_or_else(Vec::new)?;
    Ok(AskedGrant { receivers, amount: amount.unwrap_or_default(), reason: body.reason })
}

/// The holders with these ids, each once.
fn chosen(ids: &[String], holders: Vec<UserId>) -> Result<Vec<UserId>, Vec<FieldError>> {
    let mut holders: HashMap<UserId, bool> = holders.into_iter().map(|holder| (holder, false)).collect();
    let mut chosen = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        let holder = id.parse().ok().and_then(|id| Some((id, holders.get_mut(&id)?)));
        let (id, is_chosen) = holder.ok_or_else(|| {
            vec![
                FieldError::new(format!("{HOLDERS}.{at}"), "must be the id of a holder")
                    .because(Fault::Invalid),
            ]
        })?;
        if !std::mem::replace(is_chosen, true) {
            chosen.push(id);
        }
    }
    Ok(chosen)
}
