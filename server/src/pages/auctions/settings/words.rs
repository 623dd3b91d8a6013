//! The settings of an auction in force, in words.

use app::components::moment::date_and_time;
use app::components::subjects::Subject;

use super::view::{AuctionSettings, AuctionState};
use crate::pages::auctions::fields::{end_mode_words, join_words, reader_words, visibility_words};

/// The subjects of the page, as far as the auction may be changed.
pub fn subjects(settings: &AuctionSettings) -> Vec<Subject> {
    let is_closed = settings.state == AuctionState::Closed;
    let is_offered = |subject: &Subject| match subject.id {
        "schedule" => !is_closed && settings.item_end_mode == "CUSTOM",
        "delete" => settings.may_delete,
        "copy" => true,
        _ => !is_closed,
    };
    let all = [
        Subject::new("about", "About", about(settings)),
        Subject::new("people", "People", people(settings)),
        Subject::new("end", "End", end(settings)),
        Subject::new("money", "Money", money(settings)),
        Subject::new(
            "schedule",
            "One after the other",
            "End the items one after the other, at equal distances.",
        ),
        Subject::new("copy", "Copy", "Start the next sale with the same settings, currencies and rules."),
        Subject::new("close", "Close", "End bidding on every item now, for good."),
        Subject::new(
            "delete",
            "Delete",
            match settings.has_bids {
                true => "The auction has bids: it stays.",
                false => "Delete the auction with its items.",
            },
        ),
    ];
    all.into_iter().filter(is_offered).collect()
}

fn value<'a>(settings: &'a AuctionSettings, name: &str) -> &'a str {
    let found = settings.fields.iter().find(|(field, _)| field == name);
    found.map_or("", |(_, value)| value.as_str())
}

fn about(settings: &AuctionSettings) -> String {
    let mut words = format!("“{}”.", settings.name);
    if value(settings, "description").is_empty() {
        words.push_str(" No description.");
    }
    match value(settings, "collection") {
        "" => words.push_str(" Nothing says where to pay and collect."),
        collection => {
            words.push_str(" Pay and collect: ");
            words.push_str(collection);
        }
    }
    words
}

fn people(settings: &AuctionSettings) -> String {
    let invite =
        if value(settings, "memberCanInvite").is_empty() { "" } else { " Members may invite bidders." };
    format!(
        "{} {} {}{invite}",
        join_words(value(settings, "joinMode")),
        reader_words(value(settings, "readableBy")),
        visibility_words(&settings.bidder_visibility)
    )
}

fn end(settings: &AuctionSettings) -> String {
    let end = match settings.ends_at {
        Some(ends_at) => format!("Ends {}.", date_and_time(ends_at)),
        None => "You close it yourself.".to_owned(),
    };
    let late = match value(settings, "defaultAntiSnipe") {
        "" => "A late bid moves no end.".to_owned(),
        _ => format!(
            "After a bid in the last {} seconds at least {} remain.",
            value(settings, "defaultAntiSnipeThreshold"),
            value(settings, "defaultAntiSnipeExtension"),
        ),
    };
    format!("{end} {} {late}", end_mode_words(&settings.item_end_mode))
}

fn money(settings: &AuctionSettings) -> String {
    let chosen = settings.books.iter().find(|book| Some(&book.value) == settings.book.as_ref());
    let unit = value(settings, "baseUnitName");
    let mut words = match (chosen, unit, value(settings, "currencyCode")) {
        (Some(book), ..) => format!("People bid with their balances in “{}”.", book.label),
        (None, "", "") => "Each item has its own ordinary money.".to_owned(),
        (None, "", code) => format!("Ordinary money: {code}."),
        (None, unit, _) => format!("Bids are counted in {unit}."),
    };
    match &settings.goal {
        Some(goal) => {
            words.push_str(" Goal: ");
            words.push_str(goal);
        }
        None => words.push_str(" No goal."),
    }
    words
}
