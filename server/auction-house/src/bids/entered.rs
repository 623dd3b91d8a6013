//! A bid as its bidder sends it, before anything of it is judged (SPEC, section 6).

use rules_engine::bounds::MAX_ID_CHARS;
use rules_engine::money::Literal;
use rules_engine::{BidForm, DefinitionError, DefinitionFault, EnteredCount};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::access::NamedMember;
use crate::engine_schema::{entered_amount, entered_counts};
use crate::items::format::TICKETS;
use platform::shape::New;

/// The body of a bid: its shape, and nothing of its sense. Null is absent, numbers keep their digits.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BidBody {
    /// In SCALAR mode: a JSON number or a decimal string, read from its digits.
    #[schema(schema_with = entered_amount, required = false)]
    amount: Option<Literal>,
    /// In DENOMINATION mode: at most 64 counts, each a JSON number or a decimal string.
    #[schema(schema_with = entered_counts, required = false)]
    entered_representation: Option<Vec<EnteredCount>>,
    /// By default the auction's default currency, or its only one.
    #[schema(format = "uuid")]
    currency_profile_id: Option<String>,
    /// On a draw, and nothing else but the next two members: how many tickets, 1 to 10,000.
    #[schema(minimum = 1, maximum = 10_000)]
    tickets: Option<i64>,
    /// Hides the bidder where the auction lets each bid say so.
    is_anonymous: Option<bool>,
    /// The member whose bid it is, which a clerk places.
    #[serde(rename = "for")]
    #[schema(value_type = Option<BidFor>)]
    named: Option<NamedMember>,
}

type BidFor = New<NamedMember>;

/// A bid, and the member for whom it is placed; none for the sender's own.
#[derive(Debug, Clone)]
pub struct BidOf {
    pub entered: EnteredBid,
    pub named: Option<NamedMember>,
}

/// How many of one denomination.
#[derive(ToSchema)]
#[schema(as = Count)]
pub struct DenominationCount {
    pub denomination: String,
    pub count: String,
}

impl TryFrom<BidBody> for BidOf {
    type Error = Vec<DefinitionError>;

    fn try_from(body: BidBody) -> Result<Self, Vec<DefinitionError>> {
        let form = BidForm { amount: body.amount, entered_representation: body.entered_representation };
        let is_anonymous = body.is_anonymous.unwrap_or(false);
        let mut entered = EnteredBid::new(body.currency_profile_id, is_anonymous, form)?;
        if let Some(tickets) = body.tickets {
            entered = entered.with_tickets(tickets)?;
        }
        Ok(Self { entered, named: body.named })
    }
}

/// What a bidder entered, within the bounds that make it worth judging.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnteredBid {
    currency_profile_id: Option<String>,
    is_anonymous: bool,
    form: BidForm,
    /// How many tickets of a draw.
    tickets: Option<i64>,
}

impl EnteredBid {
    /// # Errors
    /// The members out of bounds: more than 64 entries, a code or an id of more than 64 characters.
    pub fn new(
        currency_profile_id: Option<String>,
        is_anonymous: bool,
        form: BidForm,
    ) -> Result<Self, Vec<DefinitionError>> {
        let mut faults = form.check().err().unwrap_or_default();
        if currency_profile_id.as_ref().is_some_and(|id| id.chars().count() > MAX_ID_CHARS) {
            faults.push(DefinitionError {
                path: "currencyProfileId".to_owned(),
                message: format!("must have at most {MAX_ID_CHARS} characters"),
                fault: DefinitionFault::Invalid,
            });
        }
        if faults.is_empty() {
            Ok(Self { currency_profile_id, is_anonymous, form, tickets: None })
        } else {
            Err(faults)
        }
    }

    /// The bid for so many tickets of a draw.
    ///
    /// # Errors
    /// The number, if it is out of bounds.
    pub fn with_tickets(self, tickets: i64) -> Result<Self, Vec<DefinitionError>> {
        if TICKETS.contains(&tickets) {
            return Ok(Self { tickets: Some(tickets), ..self });
        }
        Err(vec![DefinitionError {
            path: "tickets".to_owned(),
            message: format!("must be an integer from {} to {}", TICKETS.start(), TICKETS.end()),
            fault: DefinitionFault::Invalid,
        }])
    }

    /// How many tickets of a draw.
    pub fn tickets(&self) -> Option<i64> {
        self.tickets
    }

    /// The profile that the bidder chose, as written; it need not exist.
    pub fn currency_profile_id(&self) -> Option<&str> {
        self.currency_profile_id.as_deref()
    }

    pub fn is_anonymous(&self) -> bool {
        self.is_anonymous
    }

    pub fn form(&self) -> &BidForm {
        &self.form
    }
}
