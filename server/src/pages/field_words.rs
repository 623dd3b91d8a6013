//! The errors of forms, as sentences that name the field as its form does.

use auction_house::engine::Fixed;
use platform::fields::{Fault, FieldError};

/// What a form calls one of its fields.
#[derive(Debug, Clone, Copy)]
struct FieldWords {
    /// Name of the field. A `*` stands for the number of a row.
    field: &'static str,
    /// The field within a sentence: `the minimum increment`.
    noun: &'static str,
    /// What to enter.
    ask: &'static str,
    /// What to enter instead of a value that is invalid.
    instead: &'static str,
}

const fn words(field: &'static str, noun: &'static str, ask: &'static str) -> FieldWords {
    FieldWords { field, noun, ask, instead: ask }
}

impl FieldWords {
    const fn instead(self, instead: &'static str) -> Self {
        Self { instead, ..self }
    }
}

/// For a field that the form does not show.
const HIDDEN: FieldWords =
    words("", "a hidden field", "A part of this form can’t be read. Reload the page and try again.");

/// Fields that mean the same on every page.
const COMMON: &[FieldWords] = &[
    words("description", "the description", "Enter a description."),
    words("baseUnitName", "the unit name", "Enter the name of the unit, such as Knut."),
    words("baseUnitSymbol", "the unit symbol", "Enter a symbol, such as pt, or leave it empty."),
    words("email", "the e-mail", "Enter an e-mail address, such as ada@example.org."),
    words("reason", "the reason", "Say why. Members can read it."),
    words("note", "the note", "Enter a note, or leave it empty."),
];

const ACCOUNT: &[FieldWords] = &[
    words("name", "your name", "Enter your name.")
        .instead("Enter your name in at most 100 visible characters. Nobody can be named “deleted user”."),
    words("email", "the e-mail", "Enter your e-mail address, such as ada@example.org."),
    words("password", "the password", "Use at least 8 characters."),
    words("newPassword", "the new password", "Use at least 8 characters."),
    words("currentPassword", "the current password", "Enter your current password."),
    words("emailPassword", "the current password", "Enter your current password."),
    words("deletePassword", "the password", "Enter your password."),
    words("timeZone", "the time zone", "Enter a time zone such as Europe/Berlin, or leave it empty."),
    words("theme", "the theme", "Choose a theme."),
    words("locale", "the language", "Enter a language and region such as en-GB, or leave it empty."),
];

const ADMIN: &[FieldWords] = &[
    words("claimCode", "the claim code", "Enter the claim code from the server’s log."),
    words("backup", "the backup", "Choose a backup of the list."),
];

const MEMBERS: &[FieldWords] = &[
    words("role", "the role", "Choose a role of the list."),
    words("userId", "the new owner", "Choose a member of the auction."),
];

const AUCTION: &[FieldWords] = &[
    words("name", "the name", "Enter a name for the auction."),
    words("copyName", "the name of the copy", "Enter a name for the copy."),
    words("joinMode", "who may join", "Choose who may join."),
    words("bidderVisibility", "whose names are shown", "Choose who sees the names of bidders."),
    words("itemEndMode", "how items end", "Choose how items end."),
    words("endDate", "the end", "Enter the end as a date and a time, or leave it empty."),
    words("defaultAntiSnipeThreshold", "the seconds before the end", "Enter whole seconds, such as 300."),
    words("defaultAntiSnipeExtension", "the seconds after the bid", "Enter whole seconds, such as 300."),
    words("bookId", "the book", "Choose a book that you keep, or none."),
    words("firstEnd", "the end of the first item", "Enter the end of the first item, a date and a time."),
    words("intervalSeconds", "the seconds between two ends", "Enter whole seconds, such as 60."),
];

const BOOK: &[FieldWords] = &[
    words("name", "the name", "Enter a name for the book."),
    words(
        "startingBalance",
        "the starting balance",
        "Enter the starting balance as a number from 0, such as 300.",
    ),
    words("creditLimit", "the credit", "Enter the credit as a number from 0, such as 50."),
    words("visibility", "who sees balances", "Choose who sees the balances."),
    words("amount", "the amount", "Enter an amount other than 0, such as 50 or -50."),
    words("reason", "the reason", "Say why. The holders can read it."),
    words("holders", "the holders", "Tick at least one holder, or choose everyone."),
    words("reversalReason", "the reason", "Say why the entry is reversed. The holder can read it."),
    words("role", "the role", "Choose a role of the list."),
    words("csv", "the rows", "Paste rows below the header email,amount,reason."),
];

const CURRENCY: &[FieldWords] = &[
    words("name", "the name", "Enter a name for the currency."),
    words("code", "the code", "Use 1 to 12 capital letters, digits, - or _ for the code, such as GALLEON."),
    words("symbol", "the symbol", "Enter a symbol, or leave it empty."),
    words("inputMode", "how bids are entered", "Choose how bids are entered."),
    words("rateToBase", "the value", "Say how many base units one unit is worth: a number above 0."),
    words("precision", "the decimals", "Choose how many decimals an amount may have."),
    words("fractionPolicy", "what becomes of extra decimals", "Choose what becomes of extra decimals."),
    words("denominations", "the denominations", "Name at least one denomination."),
    words("denominations.*.name", "the name", "Enter a name, such as Sickle."),
    words("denominations.*.code", "the code", "Use 1 to 12 capital letters, digits, - or _ for the code."),
    words("denominations.*.symbol", "the symbol", "Enter a symbol, or leave it empty."),
    words(
        "denominations.*.factor",
        "the worth",
        "Say how many of the smallest it is worth: a number above 0.",
    ),
];

const RULE: &[FieldWords] = &[
    words("currencyProfileId", "the currency", "Choose a currency of the list."),
    words("params.denomination", "the denomination", "Choose a denomination of the list."),
    words("params.minPercent", "the minimum share", "Enter a percentage from 1 to 100."),
    words("params.minCount", "the minimum count", "Enter how many there must be: a number above 0."),
    words("params.amount", "the amount", "Enter the amount as a number above 0, such as 5 or 0.5."),
    words("params.percent", "the percentage", "Enter a percentage above 0, up to 100."),
    words("params.step", "the step", "Enter the step as a number above 0, such as 5 or 0.5."),
    words("params.tiers", "the tiers", "Enter at least one tier."),
    words(
        "params.tiers.*.from",
        "the start",
        "Enter where it starts: 0 in the first tier, and more in each next.",
    ),
    words("params.tiers.*.amount", "the increment", "Enter the increment as a number above 0."),
    words("params.tiers.*.step", "the step", "Enter the step as a number above 0."),
];

const ITEM: &[FieldWords] = &[
    words("name", "the name", "Enter a name for the item."),
    words("currencyCode", "the currency", "Choose a currency of the list."),
    words(
        "startingBid",
        "the starting bid",
        "Enter the starting bid as a number above 0, or leave it empty.",
    ),
    words(
        "minBidIncrement",
        "the minimum increment",
        "Enter the minimum increment as a number above 0, such as 5 or 0.5.",
    ),
    words(
        "minIncrementNormalized",
        "the minimum increment",
        "Enter the minimum increment as a number above 0, such as 5 or 0.5.",
    ),
    words("minBidConstraint", "the minimum bid", "Enter the minimum bid as numbers, or leave it empty."),
    words("lotNumber", "the lot number", "Enter a whole number, or leave it empty for the next free one."),
    words("sellerId", "the seller", "Choose a member of the auction."),
    words("startsAt", "the start", "Enter the start as a date and a time, or leave it empty."),
    words("endDate", "the end", "Enter the end as a date and a time, or leave it empty."),
    words("antiSnipeThresholdSeconds", "the seconds before the end", "Enter whole seconds, such as 300."),
    words("antiSnipeExtensionSeconds", "the seconds after the bid", "Enter whole seconds, such as 300."),
    words("amount", "the amount", "Enter an amount."),
    words("currencyProfileId", "the currency", "Choose a currency of the list."),
    words("image", "the picture", "Choose a picture."),
    words("alt", "the text", "Say in one line what the picture shows, or leave it empty."),
    words("sequence", "the bid", "Choose a standing bid of the list, or nobody."),
    words("reason", "the reason", "Say why. Members can read it."),
];

/// The lists whose entries are rows of a form, and what their form calls an entry.
const ROWS: &[(&str, &str)] = &[("denominations", "Denomination"), ("params.tiers", "Tier")];

/// The error as a sentence. `page` is the path of the form's page, `typed` the submitted value.
pub fn sentence(page: &str, error: &FieldError, typed: &str) -> String {
    if error.fault == Fault::Explained {
        return error.message.clone();
    }
    match row(&error.path) {
        Some((entry, number, pattern)) => {
            format!(
                "{entry} {number}: {}",
                uncapitalized(&describe(find(page, &pattern), &error.fault, typed))
            )
        }
        None => describe(find(page, &error.path), &error.fault, typed),
    }
}

fn describe(words: FieldWords, fault: &Fault, typed: &str) -> String {
    let noun = words.noun;
    let said = match fault {
        Fault::TooLong(most) => format!("{noun} can have at most {most} characters."),
        Fault::Integer(bounds) if !typed.trim().is_empty() => {
            format!("{noun} must be a whole number from {} to {}.", bounds.start(), bounds.end())
        }
        Fault::Decimal { max, digits } => match out_of_bounds(noun, typed, max, *digits) {
            Some(said) => said,
            None => return words.ask.to_owned(),
        },
        Fault::Duplicate => format!("{noun} is used twice: choose another."),
        Fault::Past => format!("{noun} has passed: choose a moment in the future."),
        Fault::TooEarly => "an item would end before it starts: choose a later end.".to_owned(),
        Fault::TooLate => too_late(words.field).to_owned(),
        Fault::Invalid => return words.instead.to_owned(),
        Fault::Integer(_) | Fault::Missing | Fault::Explained => return words.ask.to_owned(),
    };
    capitalized(&said)
}

fn too_late(field: &str) -> &'static str {
    match field {
        "startsAt" => "the item must start before it ends.",
        "endDate" => "the item can’t end after its auction: choose an earlier end.",
        _ => "the last item would end after the auction: choose an earlier end, or fewer seconds.",
    }
}

/// Why a positive number is refused. `None` if the text is no such number.
fn out_of_bounds(noun: &str, typed: &str, max: &str, digits: u32) -> Option<String> {
    let number = Fixed::<9>::parse(typed.trim()).ok().filter(|number| *number > Fixed::ZERO)?;
    if Fixed::<9>::parse(max).is_ok_and(|max| number > max) {
        return Some(format!("{noun} can be at most {max}."));
    }
    Some(match digits {
        0 => format!("{noun} must be a whole number."),
        1 => format!("{noun} can have one digit after the point."),
        digits => format!("{noun} can have at most {digits} digits after the point."),
    })
}

/// Entry, number of the row from 1 on, and the field with `*` instead of the row.
fn row(path: &str) -> Option<(&'static str, usize, String)> {
    ROWS.iter().find_map(|(list, entry)| {
        let (row, part) = path.strip_prefix(list)?.strip_prefix('.')?.split_once('.')?;
        let row: usize = row.parse().ok()?;
        Some((*entry, row + 1, format!("{list}.*.{part}")))
    })
}

fn find(page: &str, field: &str) -> FieldWords {
    let of_page = fields_of(page).iter().chain(COMMON);
    // The fields of a minimum are those of a bid in its currency.
    let field = if field.starts_with("minBidConstraint.") { "minBidConstraint" } else { field };
    of_page.copied().find(|words| words.field == field).unwrap_or(HIDDEN)
}

/// The fields of the forms of a page.
fn fields_of(page: &str) -> &'static [FieldWords] {
    let has = |part: &str| page.split('/').any(|segment| segment == part);
    match page.split('/').nth(1) {
        Some("admin") => ADMIN,
        Some("books") => BOOK,
        Some("auctions") if has("members") => MEMBERS,
        Some("auctions") if has("currencies") => CURRENCY,
        Some("auctions") if has("currency-rules") => RULE,
        Some("auctions") if has("items") => ITEM,
        Some("auctions") => AUCTION,
        _ => ACCOUNT,
    }
}

fn capitalized(text: &str) -> String {
    with_first(text, |first| first.to_uppercase().collect())
}

fn uncapitalized(text: &str) -> String {
    with_first(text, |first| first.to_lowercase().collect())
}

fn with_first(text: &str, change: impl Fn(char) -> String) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| change(first) + rest.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(page: &str, path: &str, fault: Fault, typed: &str) -> String {
        sentence(page, &FieldError::new(path, "must be otherwise").because(fault), typed)
    }

    #[test]
    fn a_number_out_of_bounds_is_told_which_one() {
        let step = |typed| {
            let fault = Fault::Decimal { max: "1000".to_owned(), digits: 2 };
            said("/auctions/1/items/new", "minIncrementNormalized", fault, typed)
        };
        for typed in ["", "many", "0", "-1", "1e3"] {
            assert_eq!(
                step(typed),
                "Enter the minimum increment as a number above 0, such as 5 or 0.5.",
                "{typed}"
            );
        }
        assert_eq!(step("1000.5"), "The minimum increment can be at most 1000.");
        assert_eq!(step("0.125"), "The minimum increment can have at most 2 digits after the point.");
    }

    #[test]
    fn a_cell_is_named_by_its_row() {
        let page = "/auctions/1/currencies/new";
        assert_eq!(
            said(page, "denominations.1.factor", Fault::Missing, ""),
            "Denomination 2: say how many of the smallest it is worth: a number above 0."
        );
        assert_eq!(
            said(page, "denominations.0.code", Fault::Duplicate, "KNUT"),
            "Denomination 1: the code is used twice: choose another."
        );
    }

    #[test]
    fn the_same_field_has_other_words_on_another_page() {
        assert_eq!(said("/register", "name", Fault::Missing, ""), "Enter your name.");
        assert_eq!(said("/auctions/new", "name", Fault::Missing, ""), "Enter a name for the auction.");
        assert_eq!(
            said("/auctions/new", "name", Fault::TooLong(200), "x"),
            "The name can have at most 200 characters."
        );
    }

    #[test]
    fn an_explained_error_and_an_unknown_field_have_words() {
        let explained = FieldError::explained("confirmed", "Confirm it.");
        assert_eq!(sentence("/admin", &explained, ""), "Confirm it.");
        assert_eq!(said("/admin", "innerState", Fault::Invalid, ""), HIDDEN.ask);
    }
}
