//! The viewer's balance in the book of an auction, in the heading of its pages. `live.js` keeps it current.

use leptos::prelude::*;

use crate::components::figures::StaticFigures;
use crate::components::money::{amount_in, number_of};
use crate::model::{BaseUnit, Funds, PageFunds};

/// The line of the heading, with a link to the book. Nothing in an auction without one. Empty until the
/// viewer is a member.
#[component]
pub fn FundsInHeading(funds: Option<PageFunds>) -> impl IntoView {
    funds.map(|PageFunds { book_id, balance, unit }| {
        let shown = balance
            .as_ref()
            .map(|Funds { balance, committed, available }| format!("{balance} {committed} {available}"));
        let link = balance.map(|balance| {
            view! {
                <a href=format!("/books/{book_id}")>
                    <StaticFigures text=in_words(&balance, &unit) />
                </a>
            }
        });
        view! {
            <p class="own-funds live" id="own-funds" data-book=book_id.clone() data-shown=shown>
                {link}
            </p>
        }
    })
}

/// What the viewer has, and unless all of it is available, what is.
fn in_words(funds: &Funds, unit: &BaseUnit) -> String {
    let has = amount_in(&funds.balance, unit);
    let available = number_of(&funds.available, unit);
    match (funds.committed == "0", funds.available == funds.balance) {
        (true, true) => format!("You have {has}"),
        (true, false) => format!("You have {has} · {available} available"),
        (false, _) => {
            let committed = number_of(&funds.committed, unit);
            format!("You have {has} · {committed} in bids · {available} available")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;
    use crate::model::{BaseUnit, Funds};

    fn words(balance: &str, committed: &str, available: &str) -> String {
        let unit =
            BaseUnit { name: "Ticket".to_owned(), plural: Some("Tickets".to_owned()), ..BaseUnit::default() };
        let [balance, committed, available] = [balance, committed, available].map(str::to_owned);
        in_words(&Funds { balance, committed, available }, &unit)
    }

    #[test]
    fn what_is_available_is_said_where_it_differs() {
        assert_eq!(words("300", "0", "300"), "You have 300\u{a0}Tickets");
        assert_eq!(words("1", "0", "6"), "You have 1\u{a0}Ticket · 6 available");
        assert_eq!(words("10", "30", "-20"), "You have 10\u{a0}Tickets · 30 in bids · -20 available");
    }
}
