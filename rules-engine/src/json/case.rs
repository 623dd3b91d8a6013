//! The document of the JSON interface: one case (section 7).

use alloc::{string::String, vec::Vec};

use crate::{
    bid::{BidForm, BidText},
    money::Normalized,
    profile::ProfileDefinition,
    rules::{ItemTerms, RuleDefinition},
    shape::{
        Given, Value,
        reader::{JsonReader, Read},
        shape,
    },
};

shape! {
    /// What decides a bid, and the bid.
    pub(crate) struct Case as CaseText {
        /// How the bid's currency is entered and converted.
        profile = "profile": ProfileDefinition,
        /// At most 64; disabled rules and rules of other profiles have no effect.
        rules = "rules": Vec<RuleDefinition> [length(max = 64)],
        /// What the item itself requires.
        item = "item": ItemTerms,
        /// The accepted bid with the greatest normalized amount, in base units: 0 to 10^15. Null if there is
        /// none.
        highest = "highest": Option<Normalized>,
        /// What the bidder has available for the item, in base units: -10^15 to 10^15. Null if the auction
        /// has no book.
        available = "available": Option<Normalized>,
        /// Required by `evaluate`, and ignored by `suggest`.
        #[serde(default, skip_serializing_if = "Given::is_absent")]
        bid = "bid": Given<BidForm>,
    }
}

/// Reads a case.
pub(super) fn read_case(json: &str) -> Result<CaseText<'_>, String> {
    Ok(read::<Case>(json)?)
}

/// Reads a bid without its case.
pub(super) fn read_bid(json: &str) -> Result<BidText<'_>, String> {
    Ok(read::<BidForm>(json)?)
}

/// Reads a whole document.
pub(super) fn read<T: Value>(json: &str) -> Read<T::Text<'_>> {
    let mut reader = JsonReader::new(json);
    let document = T::read(&mut reader)?;
    reader.end()?;
    Ok(document)
}
