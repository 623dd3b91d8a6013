//! What was sold in all, what the viewer has won, and the totals of each winner.

use app::components::name::Name;
use app::components::words::count;
use leptos::prelude::*;

use super::ResultsPage;
use super::price::Sums;
use crate::pages::items::sold_price::Money;

/// Sums over sold items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    pub items: usize,
    pub paid: usize,
    pub collected: usize,
    /// In base units; in a legacy auction one for each ISO currency.
    pub money: Vec<Money>,
    /// What was promised in each currency, in pieces. Empty in a legacy auction.
    pub promised: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WinnerTotals {
    pub name: String,
    pub totals: Totals,
}

#[component]
pub fn Summary(page: ResultsPage) -> impl IntoView {
    let ResultsPage { counts, total, mine, winners, winner_count, hidden_count, .. } = page;
    let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let mut facts = vec![("Sold", counts.sold.to_string()), ("Not sold", counts.unsold.to_string())];
    if counts.cancelled > 0 {
        facts.push(("Cancelled", counts.cancelled.to_string()));
    }
    if counts.open > 0 {
        facts.push(("Still open", counts.open.to_string()));
    }
    if counts.sold > 0 {
        facts.push(("Paid", format!("{} of {}", total.paid, counts.sold)));
        facts.push(("Collected", format!("{} of {}", total.collected, counts.sold)));
    }
    let facts = facts.into_iter().map(|(name, value)| {
        view! {
            <div>
                <dt>{name}</dt>
                <dd>{value}</dd>
            </div>
        }
    });
    let hidden = (hidden_count > 0).then(|| {
        let items = count(number(hidden_count), "item was", "items were");
        view! { <p class="hint">{format!("{items} sold to bidders whose names are hidden.")}</p> }
    });
    let more = winner_count.saturating_sub(winners.len());
    let more = (more > 0).then(|| {
        view! { <p class="hint">{format!("{more} more in the view by winner.")}</p> }
    });
    let none = winners.is_empty();
    let rows = winners.into_iter().map(|winner| view! { <Winner winner /> }).collect_view();
    view! {
        {mine.map(|mine| view! { <Mine mine /> })}
        <section class="results-summary" aria-labelledby="summary">
            <h2 id="summary">"Total"</h2>
            <Sums totals=total.clone() />
            <dl class="results-facts">{facts.collect_view()}</dl>
        </section>
        <section class="results-winners" aria-labelledby="winners" hidden=none && hidden_count == 0>
            <h2 id="winners">"Winners"</h2>
            {hidden}
            <table hidden=none>
                <thead>
                    <tr>
                        <th scope="col">"Winner"</th>
                        <th scope="col" class="number">"Items"</th>
                        <th scope="col" class="number">"Total"</th>
                        <th scope="col">"State"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            {more}
        </section>
    }
}

/// The next step for a viewer who has won.
#[component]
fn Mine(mine: Totals) -> impl IntoView {
    let won = count(u64::try_from(mine.items).unwrap_or(u64::MAX), "item", "items");
    let next = match (mine.items - mine.paid, mine.paid - mine.collected.min(mine.paid)) {
        (0, 0) => "Everything is paid and collected.",
        (0, _) => "Everything is paid. Collect what you have not collected yet.",
        _ => "Pay at the desk: what you have paid and collected is marked there.",
    };
    view! {
        <section class="results-mine" aria-labelledby="mine">
            <h2 id="mine">{format!("You won {won}")}</h2>
            <Sums totals=mine />
            <p>{next}</p>
        </section>
    }
}

#[component]
fn Winner(winner: WinnerTotals) -> impl IntoView {
    let WinnerTotals { name, totals } = winner;
    let state = state_in_words(&totals);
    let items = totals.items;
    view! {
        <tr>
            <th scope="row"><Name text=name /></th>
            <td class="number">{items}</td>
            <td class="number">
                <Sums totals />
            </td>
            <td>{state}</td>
        </tr>
    }
}

/// Whether a winner has settled.
pub fn state_in_words(totals: &Totals) -> String {
    let Totals { items, paid, collected, .. } = totals;
    let part = |done: &usize, all: &str, none: &str, some: &str| match done {
        0 => none.to_owned(),
        done if done == items => all.to_owned(),
        done => format!("{done} of {items} {some}"),
    };
    let paid = part(paid, "Paid", "To pay", "paid");
    let collected = part(collected, "collected", "to collect", "collected");
    format!("{paid}, {collected}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_says_what_is_left_to_do() {
        let state =
            |items, paid, collected| state_in_words(&Totals { items, paid, collected, ..Totals::default() });
        assert_eq!(state(3, 0, 0), "To pay, to collect");
        assert_eq!(state(3, 1, 0), "1 of 3 paid, to collect");
        assert_eq!(state(3, 3, 2), "Paid, 2 of 3 collected");
        assert_eq!(state(1, 1, 1), "Paid, collected");
    }
}
