//! The document of a bid as JSON, written in one go: each accepted bid is answered with one. `serde` passes
//! each name and value through several calls, which takes longer than the engine's decision.

use serde::Serialize;

use crate::bids::document::BidDocument;
use accounts::person::PersonDocument;
use platform::ids::{Id, Uuid};

/// Room for a bid, whose name and amount are short.
const ROOM_BYTES: usize = 768;

/// The JSON that `serde_json` writes for the document.
///
/// # Errors
/// None for documents: memory has room.
pub fn written(bid: &BidDocument) -> Result<Vec<u8>, serde_json::Error> {
    // A member that is added is written here, too.
    let BidDocument {
        id,
        auction_id,
        item_id,
        sequence,
        bidder,
        placed_by,
        overridden,
        amount,
        entered_representation,
        currency_profile_id,
        normalized_amount,
        tickets,
        is_anonymous,
        created_at,
        item_end_date,
        withdrawn,
        overcommitted,
    } = bid;
    let mut json = Json(Vec::with_capacity(ROOM_BYTES));
    json.id("{\"id\":", id.uuid());
    json.id(",\"auctionId\":", auction_id.uuid());
    json.id(",\"itemId\":", item_id.uuid());
    json.value(",\"sequence\":", sequence)?;
    json.person(",\"bidder\":", bidder.as_ref())?;
    json.person(",\"placedBy\":", placed_by.as_ref())?;
    if !overridden.is_empty() {
        json.value(",\"overridden\":", overridden)?;
    }
    json.text(",\"amount\":");
    json.text(amount.as_ref().map_or("null", |amount| amount.get()));
    json.value(",\"enteredRepresentation\":", entered_representation)?;
    match currency_profile_id {
        Some(id) => json.id(",\"currencyProfileId\":", id.uuid()),
        None => json.text(",\"currencyProfileId\":null"),
    }
    json.value(",\"normalizedAmount\":", normalized_amount)?;
    if let Some(tickets) = tickets {
        json.value(",\"tickets\":", tickets)?;
    }
    json.text(if *is_anonymous { ",\"isAnonymous\":true" } else { ",\"isAnonymous\":false" });
    json.value(",\"createdAt\":", created_at)?;
    json.value(",\"itemEndDate\":", item_end_date)?;
    json.value(",\"withdrawn\":", withdrawn)?;
    if let Some(overcommitted) = overcommitted {
        json.value(",\"overcommitted\":", overcommitted)?;
    }
    json.text("}");
    Ok(json.0)
}

struct Json(Vec<u8>);

impl Json {
    fn text(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    fn id(&mut self, before: &str, id: Uuid) {
        let mut text = Uuid::encode_buffer();
        self.text(before);
        self.text("\"");
        self.text(id.hyphenated().encode_lower(&mut text));
        self.text("\"");
    }

    fn value(&mut self, before: &str, value: &impl Serialize) -> Result<(), serde_json::Error> {
        self.text(before);
        serde_json::to_writer(&mut self.0, value)
    }

    fn person(&mut self, before: &str, person: Option<&PersonDocument>) -> Result<(), serde_json::Error> {
        self.text(before);
        match person {
            Some(PersonDocument { id: Some(id), name, number: None }) => {
                self.id("{\"id\":", id.uuid());
                self.value(",\"name\":", name)?;
                self.text("}");
                Ok(())
            }
            person => serde_json::to_writer(&mut self.0, &person),
        }
    }
}

#[cfg(test)]
mod tests {
    use rules_engine::ViolationCode;
    use rules_engine::money::Normalized;
    use serde_json::value::RawValue;

    use super::*;
    use crate::bids::document::{OvercommittedDocument, WithdrawalDocument};
    use crate::bids::withdrawal::{WithdrawalReason, WithdrawnBy};
    use crate::ids::{AuctionId, BidId, CurrencyId, ItemId, UserId};
    use platform::time::Moment;

    /// A bid in which the members whose bit is set in `set` are there.
    fn bid(set: u32) -> BidDocument {
        let now = Moment::from_millis(1_777_658_400_123).unwrap();
        let is_set = |bit: u32| set & (1 << bit) != 0;
        let amount = |text: &str| text.parse::<Normalized>().unwrap();
        let person = |name: &str, number| PersonDocument {
            id: is_set(10).then(|| UserId::new(now)),
            name: name.to_owned(),
            number,
        };
        BidDocument {
            id: BidId::new(now),
            auction_id: AuctionId::new(now),
            item_id: ItemId::new(now),
            sequence: is_set(0).then_some(i64::MAX),
            bidder: is_set(1).then(|| person("</script> \"Ådá\\\u{1}\n", is_set(11).then_some(Some(12)))),
            placed_by: is_set(2).then(|| person("Esme", is_set(11).then_some(None))),
            overridden: if is_set(3) { vec![ViolationCode::MinIncrement] } else { Vec::new() },
            amount: is_set(4).then(|| RawValue::from_string("12.50".to_owned()).unwrap()),
            entered_representation: is_set(5).then(Vec::new),
            currency_profile_id: is_set(6).then(|| CurrencyId::new(now)),
            normalized_amount: amount("1234567890.5"),
            tickets: is_set(7).then_some(3),
            is_anonymous: is_set(8),
            created_at: now,
            item_end_date: is_set(9).then_some(now),
            withdrawn: is_set(12).then(|| WithdrawalDocument {
                at: now,
                by: WithdrawnBy::Manager,
                reason: WithdrawalReason::Other,
                note: Some("\"".to_owned()),
            }),
            overcommitted: is_set(13).then(|| {
                vec![OvercommittedDocument {
                    id: UserId::new(now),
                    name: "Ben".to_owned(),
                    available: amount("-1"),
                }]
            }),
        }
    }

    #[test]
    fn a_bid_is_written_as_serde_writes_it() {
        for set in 0..1 << 14 {
            let bid = bid(set);
            let expected = serde_json::to_string(&bid).unwrap();
            assert_eq!(String::from_utf8(written(&bid).unwrap()).unwrap(), expected);
        }
    }
}
