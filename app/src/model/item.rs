//! The page of an item, and those of its bids.

use super::wire::wire_enum;

wire_enum! {
    ItemStatus {
        Draft = "DRAFT",
        Scheduled = "SCHEDULED",
        Open = "OPEN",
        Closed = "CLOSED",
    }
}
