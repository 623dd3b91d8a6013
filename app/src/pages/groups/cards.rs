//! `/groups/{group_id}/cards`: cards with which people sign in, to be printed.

use leptos::prelude::*;

use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::qr_code::QrCode;
use crate::html::{Html, html};
use crate::model::{GroupCard, GroupCards};

pub fn cards_page(page: GroupCards) -> Html {
    let GroupCards { group, code, door, cards, is_import } = page;
    let has_pins = cards.iter().any(|card| card.pin.is_some());
    let lead = if has_pins {
        "Print these cards now: the PINs are shown only here. Who loses a PIN gets a new one from you."
    } else {
        "Cards without PINs, to be filled in by hand. For cards with PINs, give new ones."
    };
    let rows = cards.into_iter().map(|card| {
        view! { <Card card code=code.clone() door=door.clone() /> }
    });
    let rows = rows.collect::<Vec<_>>();
    let path = format!("/groups/{}", group.id);
    let undo = is_import.then(|| {
        view! {
            <p class="hint no-print">
                "Imported. Was it the wrong table? " <a href=format!("{path}/import#imports")>"Undo the import"</a>
            </p>
        }
    });
    html(view! {
        <PageTitle text=format!("Cards of {}", group.name) />
        <header class="page-head no-print">
            <div>
                <p class="eyebrow">
                    <a href=path.clone()>
                        <Name text=group.name />
                    </a>
                </p>
                <h1>"Cards"</h1>
                <p class="lead">{lead}</p>
            </div>
            <p class="actions">
                <button class="button primary" type="button" data-print="">
                    "Print"
                </button>
                <a class="button" href=path>
                    "Back to the group"
                </a>
            </p>
        </header>
        {undo}
        <ul class="group-cards" role="list" data-unprinted=has_pins.then_some("")>
            {rows}
        </ul>
    })
}

#[component]
fn Card(card: GroupCard, code: String, door: String) -> impl IntoView {
    let GroupCard { number, name, pin, qr } = card;
    let pin = pin.unwrap_or_else(|| "________".to_owned());
    view! {
        <li class="group-card">
            <div>
                <p class="group-card-number">{number}</p>
                <p class="group-card-name">
                    <Name text=name />
                </p>
                <dl>
                    <dt>"Go to"</dt>
                    <dd class="group-card-door">{door}</dd>
                    <dt>"Code"</dt>
                    <dd>{code}</dd>
                    <dt>"Number"</dt>
                    <dd>{number}</dd>
                    <dt>"PIN"</dt>
                    <dd>{pin}</dd>
                </dl>
            </div>
            {qr.map(|qr| view! { <QrCode qr label="QR code that fills in the form" /> })}
        </li>
    }
}
