//! How the viewer leaves a group, or why not.

use app::components::field::{Field, TextField};
use leptos::prelude::*;

/// How the viewer may leave a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    /// The viewer has no e-mail, and leaves with a PIN, which deletes the account.
    WithPin,
    CodeBringsBack,
    /// Only a keeper can bring the viewer back: nobody joins with the code.
    KeeperBringsBack,
    /// The viewer is the only keeper, and stays.
    LastKeeper,
}

pub const PIN: Field = Field::new("pin", "PIN", "Enter your PIN.");

#[component]
pub fn Leave(leaving: Leaving, path: String) -> impl IntoView {
    let form = |effect: &'static str, pin: Option<AnyView>| {
        view! {
            <form class="danger" method="post" action=format!("{path}/leave") novalidate>
                <p>{effect}</p>
                {pin}
                <button class="button" type="submit">
                    "Leave the group"
                </button>
            </form>
        }
        .into_any()
    };
    let way = match leaving {
        Leaving::LastKeeper => view! {
            <p>
                "You are the only keeper, and a group has at least one. Make one of its " <a href="#people">"people"</a>
                " a keeper before you leave, or " <a href="#settings">"delete the group"</a> "."
            </p>
        }
        .into_any(),
        Leaving::WithPin => {
            form("Your account is deleted. Your bids stay, without your name.", Some(pin().into_any()))
        }
        Leaving::CodeBringsBack => form(
            "You leave the open auctions of the group, too. The code of the group lets you come back.",
            None,
        ),
        Leaving::KeeperBringsBack => form(
            "You leave the open auctions of the group, too. You come back only if a keeper allows that people join with the code.",
            None,
        ),
    };
    view! {
        <section aria-labelledby="leave">
            <h2 id="leave">"Leave the group"</h2>
            {way}
        </section>
    }
}

/// A managed user leaves with the PIN, because the account goes.
fn pin() -> impl IntoView {
    view! {
        <TextField
            field=PIN
            kind="password"
            autocomplete="current-password"
            inputmode="numeric"
            maxlength=8
            required=true
            class="medium"
        />
    }
}
