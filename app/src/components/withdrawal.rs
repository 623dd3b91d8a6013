//! Withdrawals in words.

/// By whom and why a bid was withdrawn. `by` and `reason` are spelled as in the API.
pub fn withdrawn(by: &str, reason: &str, note: Option<&str>) -> String {
    let by = match by {
        "MANAGER" => "Withdrawn by a manager",
        "SELLER" => "Taken back by the seller",
        _ => "Withdrawn by the bidder",
    };
    let reason = match reason {
        "MISTYPED" => ": mistyped",
        "WRONG_ITEM" => ": wrong item",
        "ITEM_CHANGED" => ": the item changed",
        "BIDDER_REMOVED" => ": the bidder was removed",
        _ => "",
    };
    let note = note.map_or_else(String::new, |note| format!(". “{note}”"));
    format!("{by}{reason}{note}")
}
