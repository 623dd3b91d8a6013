//! Codes of the refusals of the sale, and those of the crates below.

pub use accounts::codes::*;

platform::codes! {
    OWN_ITEM = FORBIDDEN, "You can't bid on your own item";
    ASK_ANOTHER_MANAGER = FORBIDDEN, "Another manager withdraws bids on an item that you sell";
    CODE_TAKEN = CONFLICT, "The code belongs to another currency of this auction";
    NUMBER_TAKEN = CONFLICT, "The number is taken";
    LEADS_ITEM = CONFLICT, "The seller leads the item";
    HAS_BIDS = CONFLICT, "Bids exist";
    FROZEN = CONFLICT, "Fixed since its first use";
    IN_USE = CONFLICT, "In use";
    LIMIT_REACHED = CONFLICT, "Limit reached";
    CLOSED = CONFLICT, "Closed";
    NOT_CLOSED = CONFLICT, "Not closed yet";
    NOT_SOLD = CONFLICT, "Not sold";
    NO_STANDING_BID = CONFLICT, "No standing bid";
    TOO_EARLY = CONFLICT, "Too early";
    TOO_LATE = CONFLICT, "Too late";
    ITEM_NOT_OPEN = CONFLICT, "The item is not open for bids";
    OWNS_AUCTIONS = CONFLICT, "The account owns auctions";
    OWNS_BOOKS = CONFLICT, "The account owns books";
    NOT_REVERSIBLE = CONFLICT, "Not reversible";
    ALREADY_REVERSED = CONFLICT, "Already reversed";
    POT_EMPTY = CONFLICT, "The pot is empty";
    PERIOD_TAKEN = CONFLICT, "The period is taken";
    NOT_UPGRADED = CONFLICT, "The account was never one of the group alone";
    LEADS_OPEN_ITEMS = CONFLICT, "The account leads open items";
    IMPORTED_BEFORE = CONFLICT, "This table was imported before";
    CHANGED = CONFLICT, "Changed since";
    ALREADY_UNDONE = CONFLICT, "Undone already";
    BID_REJECTED = UNPROCESSABLE_ENTITY, "The bid breaks rules";
}
