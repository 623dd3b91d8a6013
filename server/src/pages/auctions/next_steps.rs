//! What the owner of a new auction does next.

use app::components::name::Name;
use leptos::either::EitherOf3;
use leptos::prelude::*;

use crate::pages::auction_facts::OwnGroup;
use crate::pages::groups::list::people_words;

/// Parameter of the address of an auction that was created just before.
pub const NEW: &str = "new";

/// Where the money of a new auction comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoneyStep {
    /// A book, whose path this is.
    Balances(String),
    /// The auction has a book and no currency yet: it takes no items before.
    Missing,
    /// The auction has a currency.
    Settled,
    /// Each lot names its ISO currency.
    EachLot,
}

/// Shown right after the auction was created, and until the first item exists. `group` is the name of the
/// group whose people are members, and what the viewer sees of it.
#[component]
pub fn NextSteps(
    path: String,
    group: Option<(String, OwnGroup)>,
    join_link: Option<String>,
    can_sell: bool,
    has_items: bool,
    money: MoneyStep,
) -> impl IntoView {
    let members = format!("{path}/members");
    let invite = match (group, join_link) {
        (Some((name, OwnGroup { address, people })), _) => EitherOf3::A(view! {
            <p>
                {people_words(people)} " of " <Name text=name /> {if people == 1 { " is in. " } else { " are in. " }}
                <a href=format!("{address}/cards")>"Print their cards"</a> ", or " <a href=members>"invite others"</a>
            </p>
        }),
        (None, Some(link)) => EitherOf3::B(view! {
            <label for="join-link">"Pass on this link: anyone who has it may join."</label>
            <input id="join-link" type="text" value=link readonly />
            <p>
                <a href=members>"Show the QR code, or invite by e-mail"</a>
            </p>
        }),
        (None, None) => EitherOf3::C(view! {
            <p>
                <a href=members>"Invite people by e-mail"</a>
                ", or choose in the settings that anyone with a link may join."
            </p>
        }),
    };
    let many = format!("{path}/items/add");
    let sell = can_sell.then(|| {
        let class = if has_items || money == MoneyStep::Missing { "button" } else { "button primary" };
        view! {
            <p class="actions">
                <a class=class href=many>
                    "Add many lots"
                </a>
                <a class="button quiet" href=format!("{path}/items/new")>
                    {if has_items { "Add one" } else { "Add the first item" }}
                </a>
            </p>
        }
    });
    let sell = view! {
        <li>
            <h3>{if has_items { "Add more lots, with pictures" } else { "Add lots" }}</h3>
            {sell}
        </li>
    };
    let invite = view! {
        <li>
            <h3>"Bring people in"</h3>
            {invite}
        </li>
    };
    let is_first = !has_items && matches!(money, MoneyStep::Missing | MoneyStep::EachLot);
    let steps =
        if has_items { (invite.into_any(), sell.into_any()) } else { (sell.into_any(), invite.into_any()) };
    view! {
        <section class="next-steps" aria-labelledby="next-steps">
            <h2 id="next-steps">"Next steps"</h2>
            <ol>
                {is_first.then(|| view! { <MoneyLine path=path.clone() money=money.clone() /> })}
                {steps}
                {(!is_first).then(|| view! { <MoneyLine path money /> })}
            </ol>
        </section>
    }
}

#[component]
fn MoneyLine(path: String, money: MoneyStep) -> impl IntoView {
    let currencies = format!("{path}/currencies");
    let (heading, text) = match money {
        MoneyStep::Settled => return None,
        MoneyStep::Balances(book) => (
            "Give people what they bid with",
            EitherOf3::A(view! {
                <a href=book>"See who has how much, and give more"</a>
                ". Whoever joins starts with the number that you have chosen."
            }),
        ),
        MoneyStep::Missing => (
            "What do people bid with?",
            EitherOf3::B(view! { <a class="button primary" href=currencies>"Choose how people bid"</a> }),
        ),
        MoneyStep::EachLot => (
            "What do people bid with?",
            EitherOf3::C(view! {
                <a href=currencies>"Tickets, points, coins, or anything else"</a>
                ", before the first bid. Without them people bid in euros, pounds or other everyday money."
            }),
        ),
    };
    Some(view! {
        <li>
            <h3>{heading}</h3>
            <p>{text}</p>
        </li>
    })
}
