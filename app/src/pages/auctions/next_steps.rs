//! What the owner of a new auction does next.

use leptos::either::Either;
use leptos::prelude::*;

/// Shown until the first item exists.
#[component]
pub fn NextSteps(path: String, join_link: Option<String>, can_sell: bool) -> impl IntoView {
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
                    <h3>"Add an item"</h3>
                    {can_sell
                        .then(|| {
                            view! {
                                <p>
                                    <a class="button primary" href=format!("{path}/items/new")>
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
                <li>
                    <h3>"Define your own money, if you like"</h3>
                    <p>
                        <a href=format!("{path}/currencies")>"Set up currencies and rules"</a>
                        " before the first bid. Without them items are sold in euros, pounds or another ISO currency."
                    </p>
                </li>
            </ol>
        </section>
    }
}
