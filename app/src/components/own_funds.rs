//! What the viewer has in the book of an auction, in the heading of its pages, as it changes.

use std::rc::Rc;

use leptos::prelude::*;

use crate::components::figures::Figures;
use crate::components::island_state::initial_state_named;
use crate::components::money::{amount_in, number_of};
use crate::live::balance::{STATE, follow_balance};
use crate::model::{Balance, BaseUnit, OwnFunds};

/// The line of the heading, with a link to the book. Nothing in an auction without one.
#[cfg(feature = "ssr")]
#[component]
pub fn FundsInHeading(funds: Option<crate::model::PageFunds>) -> impl IntoView {
    use crate::components::island_state::named_state;
    use crate::live::balance::ELEMENT;

    funds.map(|funds| {
        let state = named_state(STATE, funds.own);
        view! {
            <p class="own-funds" id=ELEMENT data-book=funds.book_id>
                {state}
                <OwnFundsLink />
            </p>
        }
    })
}

/// Its state is an [`OwnFunds`]. Empty for a viewer who is not a member, until a bid joins.
#[island]
pub fn OwnFundsLink() -> impl IntoView {
    initial_state_named(STATE).map(|state| {
        let OwnFunds { balance, unit } = state;
        let balance = RwSignal::new(balance);
        follow_balance(Rc::new(move |new| balance.set(Some(new))));
        let book = Memo::new(move |_| {
            balance.with(|balance| balance.as_ref().map(|balance| format!("/books/{}", balance.book_id)))
        });
        let text = Signal::derive(move || {
            balance
                .with(|balance| balance.as_ref().map(|balance| in_words(balance, &unit)))
                .unwrap_or_default()
        });
        move || {
            book.get().map(|href| {
                view! {
                    <a href=href>
                        <Figures text />
                    </a>
                }
            })
        }
    })
}

/// What the viewer has, and unless all of it is available, what is.
fn in_words(funds: &Balance, unit: &BaseUnit) -> String {
    let has = amount_in(&funds.balance, unit);
    let available = number_of(&funds.available, unit);
    match (funds.committed == "0", funds.available == funds.balance) {
        (true, true) => format!("You have {has}"),
        (true, false) => format!("You have {has} · {available} available"),
        (false, _) => {
            let committed = number_of(&funds.committed, unit);
            format!("You have {has} · {committed} in leading bids · {available} available")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;
    use crate::model::{Balance, BaseUnit};

    fn words(balance: &str, committed: &str, available: &str) -> String {
        let unit = BaseUnit { name: "Ticket".to_owned(), ..BaseUnit::default() };
        let [balance, committed, available] = [balance, committed, available].map(str::to_owned);
        in_words(&Balance { book_id: "b".to_owned(), balance, committed, available }, &unit)
    }

    #[test]
    fn what_is_available_is_said_where_it_differs() {
        assert_eq!(words("300", "0", "300"), "You have 300\u{a0}Tickets");
        assert_eq!(words("1", "0", "6"), "You have 1\u{a0}Ticket · 6 available");
        assert_eq!(words("10", "30", "-20"), "You have 10\u{a0}Tickets · 30 in leading bids · -20 available");
    }
}
