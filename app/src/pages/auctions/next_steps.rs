//! What the owner of a new auction does next.

use leptos::either::Either;
use leptos::prelude::*;

/// Shown until the first item exists.
#[component]
pub fn NextSteps(
    path: String,
    join_link: Option<String>,
    can_sell: bool,
    /// The auction has a book and no currency yet: it takes no items before.
    needs_currency: bool,
) -> impl IntoView {
    let money = if needs_currency {
        Either::Left(view! {
            <p>
                <a class="button primary" href=format!("{path}/currencies")>"Choose how people bid"</a>
            </p>
        })
    } else {
        Either::Right(view! {
            <p>
                <a href=format!("{path}/currencies")>"Tickets, points, coins, or anything else"</a>
                ", before the first bid. Without them people bid in euros, pounds or other everyday money."
            </p>
        })
    };
    let add_class = if needs_currency { "button" } else { "button primary" };
    let members = format!("{path}/members");
    let invite = match join_link {
        Some(link) => Either::Left(view! {
            <label for="join-link">"Pass on this link: anyone who has it may join."</label>
            <input id="join-link" type="text" value=link readonly />
            <p>
                <a href=members>"Show the QR code, or invite by e-mail"</a>
            </p>
        }),
        None => Either::Right(view! {
            <p>
                <a href=members>"Invite people by e-mail"</a>
                ", or choose in the settings that anyone with a link may join."
            </p>
        }),
    };
    view! {
        <section class="next-steps" aria-labelledby="next-steps">
            <h2 id="next-steps">"Next steps"</h2>
            <ol>
                <li>
                    <h3>"What do people bid with?"</h3>
                    {money}
                </li>
                <li>
                    <h3>"Add an item"</h3>
                    {can_sell
                        .then(|| {
                            view! {
                                <p>
                                    <a class=add_class href=format!("{path}/items/new")>
                                        "Add the first item"
                                    </a>
                                </p>
                            }
                        })}
                </li>
                <li>
                    <h3>"Bring people in"</h3>
                    {invite}
                </li>
            </ol>
        </section>
    }
}
