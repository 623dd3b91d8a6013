//! Caps of a book: limits on what is given in it (SPEC, section 12).

use std::collections::HashMap;

use rules_engine::bounds::MAX_NORMALIZED;
use rules_engine::money::{Literal, Normalized};
use rules_engine::pot::{Caps, WeekDay};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Book, store};
use crate::engine::field_errors;
use crate::engine_schema::WeekDaySchema;
use crate::ids::{BookId, UserId};
use platform::db::{Connection, DbError};
use platform::fields::{FieldError, Fields};
use platform::shape::{Members, Shape};
use platform::time::Moment;
use platform::zone::Zone;

/// Limits on what is given by grants and shares. They take nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BookCaps {
    /// A balance from which on only `softPercent` of an amount is given: 0 ≤ d ≤ 10^15.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub soft: Option<Literal>,
    /// 0–100, at most 3 fraction digits, by default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub soft_percent: Option<Literal>,
    /// A balance that nothing given exceeds. More is kept by its holder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub hard: Option<Literal>,
    /// The most that is given to one holder in a week.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub weekly: Option<Literal>,
    /// By default MONDAY.
    #[serde(default = "monday")]
    #[schema(value_type = WeekDaySchema, required = false)]
    pub week_start: WeekDay,
    /// An IANA name, by default UTC.
    #[serde(default = "utc")]
    #[schema(required = false)]
    pub time_zone: String,
}

impl Default for BookCaps {
    fn default() -> Self {
        Self {
            soft: None,
            soft_percent: None,
            hard: None,
            weekly: None,
            week_start: monday(),
            time_zone: utc(),
        }
    }
}

impl Shape for BookCaps {
    const NAME: &'static str = "NewBookCaps";

    fn members(&mut self, members: &mut Members<'_>) {
        let amount = "A decimal in base units: 0 ≤ d ≤ 10^15, at most 13 fraction digits.";
        members.optional("soft", &mut self.soft).or_number().about(amount);
        members
            .optional("softPercent", &mut self.soft_percent)
            .or_number()
            .about("What is given above `soft`: 0–100, at most 3 fraction digits, by default 0.");
        members.optional("hard", &mut self.hard).or_number().about(amount);
        members.optional("weekly", &mut self.weekly).or_number().about(amount);
        members.value("weekStart", &mut self.week_start).of::<WeekDaySchema>();
        members.value("timeZone", &mut self.time_zone).about("An IANA name, by default UTC.");
    }
}

fn monday() -> WeekDay {
    WeekDay::Monday
}

fn utc() -> String {
    Zone::default().name().to_owned()
}

impl BookCaps {
    fn caps(&self) -> Result<Caps, Vec<FieldError>> {
        let texts = [&self.soft, &self.soft_percent, &self.hard, &self.weekly];
        Caps::check(texts.map(|text| text.as_ref().map(Literal::as_str))).map_err(field_errors)
    }

    /// The caps in canonical form; their errors are reported at `path`.
    pub fn checked(self, fields: &mut Fields, path: &str) -> Option<Self> {
        let zone = Zone::named(&self.time_zone);
        if zone.is_none() {
            fields
                .report(FieldError::new(format!("{path}.timeZone"), "must be the IANA name of a time zone"));
        }
        let caps =
            self.caps().map_err(|errors| fields.add(errors.into_iter().map(|error| error.within(path))));
        let (caps, zone) = (caps.ok()?, zone?);
        let literal = |amount: Option<Normalized>| amount.map(Literal::from);
        Some(Self {
            soft: literal(caps.soft),
            soft_percent: caps.soft.map(|_| caps.soft_percent.into()),
            hard: literal(caps.hard),
            weekly: literal(caps.weekly),
            week_start: self.week_start,
            time_zone: zone.name().to_owned(),
        })
    }

    /// The moment at which the week of `now` has begun.
    fn week_start(&self, now: Moment) -> Moment {
        let days = WeekDay::ALL.iter().position(|day| *day == self.week_start).unwrap_or(0);
        let zone = Zone::named(&self.time_zone).unwrap_or_default();
        zone.week_start(now, u8::try_from(days).unwrap_or(0))
    }
}

/// The caps of a book, with what was given this week.
#[derive(Debug, Default)]
pub struct CapLimits {
    pub caps: Option<Caps>,
    /// When the week began, if a cap counts what is given in it.
    since: Option<Moment>,
    given: HashMap<UserId, Normalized>,
}

impl CapLimits {
    /// The limits at the newest entry of a book.
    pub async fn of(conn: &mut Connection, book: &Book, now: Moment) -> Result<Self, DbError> {
        Self::within(conn, book.id, book.terms.caps.as_ref(), now).await
    }

    /// The same with what was given this week, whether or not a cap counts it.
    pub async fn of_week(conn: &mut Connection, book: &Book, now: Moment) -> Result<Self, DbError> {
        let caps = book.terms.caps.clone().unwrap_or_default();
        let weekly = caps.weekly.clone().unwrap_or_else(|| MAX_NORMALIZED.into());
        Self::within(conn, book.id, Some(&BookCaps { weekly: Some(weekly), ..caps }), now).await
    }

    /// The limits of these caps at the newest entry of a book.
    pub async fn within(
        conn: &mut Connection,
        book_id: BookId,
        caps: Option<&BookCaps>,
        now: Moment,
    ) -> Result<Self, DbError> {
        let Some(caps) = caps else { return Ok(Self::default()) };
        let found = caps.caps().map_err(|_| DbError::Corrupt("caps beyond their bounds".to_owned()))?;
        let since = found.weekly.map(|_| caps.week_start(now));
        let given = match since {
            Some(since) => store::runs::given_since(conn, book_id, since).await?,
            None => HashMap::new(),
        };
        Ok(Self { caps: Some(found), since, given })
    }

    /// What was given to a holder this week.
    pub fn given(&self, user: UserId) -> Normalized {
        self.given.get(&user).copied().unwrap_or_default()
    }

    /// Counts an amount as given to a holder this week.
    pub fn give(&mut self, user: UserId, amount: Normalized) {
        let given = self.given.entry(user).or_default();
        *given = given.checked_add(amount).unwrap_or(*given);
    }

    /// Takes out of the count what was given at a moment and is reversed.
    pub fn take_back(&mut self, user: UserId, amount: Normalized, at: Moment) {
        if let Some(given) = self.given.get_mut(&user).filter(|_| self.since <= Some(at)) {
            *given = given.checked_sub(amount).unwrap_or_default();
        }
    }
}
