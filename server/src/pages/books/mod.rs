//! The pages of books.

mod caps;
mod entries;
pub(super) mod facts;
mod fields;
pub mod import;
pub mod join;
pub mod list;
pub mod new;
mod run_case;
pub mod runs;
pub mod settings;
mod share;
pub mod show;
mod terms;

use app::components::money::StaticValue;
use app::model::{BaseUnit, BookRole, Funds, Refused};
use app::request::query_part;
use leptos::prelude::*;

/// The word of a role.
pub fn role_word(role: BookRole) -> &'static str {
    match role {
        BookRole::Owner => "Owner",
        BookRole::Teller => "Helper",
        BookRole::Holder => "Person",
    }
}

/// Balance, committed and available amount of one holder.
#[component]
pub fn FundsList(
    funds: Funds,
    unit: BaseUnit,
    /// Lets a page that refreshes itself copy the list.
    #[prop(optional, into)]
    id: Option<String>,
) -> impl IntoView {
    // Pieces need the width of the page.
    let in_rows = unit.written_in.is_some();
    let overcommitted = funds.is_overcommitted();
    // The figures beside it say the same.
    let bar = (funds.balance != "0" && !overcommitted).then(|| {
        let (balance, available) = (funds.balance.clone(), funds.available.clone());
        view! { <meter class="fund-bar" aria-hidden="true" min="0" max=balance value=available></meter> }
    });
    let figures =
        [("Balance", funds.balance), ("In leading bids", funds.committed), ("Available", funds.available)];
    let figures = figures.map(|(label, amount)| {
        let class = if label == "Available" && overcommitted { "fund overcommitted" } else { "fund" };
        view! {
            <div class=class>
                <dt>{label}</dt>
                <dd>
                    <StaticValue amount unit=unit.clone() />
                </dd>
            </div>
        }
    });
    view! {
        <dl class="funds" class:live=id.is_some() class:in-rows=in_rows id=id>
            {figures.collect_view()}
        </dl>
        {bar}
    }
}

/// Value of the parameter `done` after an import.
pub const IMPORTED: &str = "imported";

/// The success message of the last action.
#[component]
pub fn Done() -> impl IntoView {
    if use_context::<Refused>().is_some() {
        return None;
    }
    let words = match query_part("done")?.as_str() {
        "created" => {
            "The balances are ready. Add people, and choose the balances in the settings of an auction."
        }
        "saved" => "The settings are saved.",
        "caps" => "The caps are saved.",
        "share" => "How it is shared is saved.",
        "closed" => "The balances are closed. They take no more entries and no auction.",
        "opened" => "The balances are open again.",
        "granted" => "The entries are written.",
        "reversed" => "The entry is reversed.",
        "added" => "The person is added.",
        "role" => "The role is changed.",
        "taken-back" => "The grant waits no longer.",
        "link" => "There is a new link. The old one no longer works.",
        "joined" => "You have a balance here now.",
        "left" => "You have left the balances.",
        "run" => "It is written. Everyone has been told.",
        "undone" => "It is undone: each balance has the opposite of its entry.",
        IMPORTED => "All rows are imported.",
        "deleted" => "The balances are deleted.",
        _ => return None,
    };
    Some(view! {
        <p class="done" role="status">
            {words}
        </p>
    })
}
