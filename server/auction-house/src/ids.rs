//! Kinds of ids of the sale.

pub use platform::ids::UserId;

platform::ids! {
    AuctionId;
    BidId;
    /// Of a currency profile.
    CurrencyId;
    ItemId;
    RuleId;
}

impl ItemId {
    /// The last 62 bits of the id, most of them random: what the ledger knows the item by, since the id as text takes four
    /// times the room and is slower to compare. Should two items have the same, the second can't be made.
    pub fn number(self) -> i64 {
        let (_, last) = self.uuid().as_u64_pair();
        (last & (u64::MAX >> 2)).cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_an_item_is_what_its_id_ends_with() {
        let id: ItemId = "018f2d3c-4b5a-7000-bfff-123456789abc".parse().unwrap();
        assert_eq!(id.number(), 0x3fff_1234_5678_9abc);
    }
}
