//! What matters most on the dashboard, each figure leading to its list.

use app::components::money::StaticValue;
use app::components::name::isolated;
use leptos::either::Either;
use leptos::prelude::*;

use super::show::{DashboardPage, Owed, Section};

#[component]
pub fn Tiles(page: DashboardPage) -> impl IntoView {
    let DashboardPage { books, outbid, leading, owed, .. } = page;
    let count = |section: &Section| section.count.unwrap_or(section.items.len());
    let (outbid, leading) = (count(&outbid), count(&leading));
    let owes = !owed.is_empty();
    let owed = owed.into_iter().map(|Owed { amount, unit }| {
        view! { <span class="tile-figure"><StaticValue amount unit /></span> }
    });
    let owed = if owes { Either::Left(owed.collect_view()) } else { Either::Right(figure(0)) };
    let several = books.len() > 1;
    let balance = books.into_iter().next().map(|book| {
        let (address, label) = if several {
            ("#balances".to_owned(), format!("Left in {}", isolated(&book.name)))
        } else {
            (format!("/books/{}", book.id), "You can still spend".to_owned())
        };
        view! {
            <Tile id="tile-balance" class="tile" address label>
                <span class="tile-figure"><StaticValue amount=book.funds.available unit=book.unit /></span>
            </Tile>
        }
    });
    let good = if leading > 0 { "tile good" } else { "tile" };
    // The list is missing if it is empty.
    let (bad, outbid_list) = if outbid > 0 { ("tile bad", "#outbid") } else { ("tile", "") };
    view! {
        <ul class="tiles" role="list">
            <Tile
                id="tile-outbid"
                class=bad
                address=outbid_list
                label="Outbid"
            >
                {figure(outbid)}
            </Tile>
            <Tile id="tile-leading" class=good address="#leading" label="Leading">
                {figure(leading)}
            </Tile>
            <Tile id="tile-owed" class="tile" address="#won" label="To pay">
                {owed}
            </Tile>
            {balance}
        </ul>
    }
}

fn figure(count: usize) -> impl IntoView {
    view! { <span class="tile-figure">{count}</span> }
}

/// Without an address it is no link.
#[component]
fn Tile(
    id: &'static str,
    class: &'static str,
    #[prop(into)] address: String,
    #[prop(into)] label: String,
    children: Children,
) -> impl IntoView {
    let content = view! {
        <span class="tile-label">{label}</span>
        " "
        <span class="live" id=id>{children()}</span>
    };
    let tile = if address.is_empty() {
        Either::Left(view! { <div class=class>{content}</div> })
    } else {
        Either::Right(view! { <a class=class href=address>{content}</a> })
    };
    view! { <li>{tile}</li> }
}
