//! Checkout at the table: a cashier types a number and sees what its person has won, to be paid and
//! collected. The forms work without JavaScript. With it, `checkout.js` answers and marks without leaving the
//! page.

use app::assets::BuiltFile;
use app::components::error_summary::ErrorSummary;
use app::components::figures::StaticFigures;
use app::components::live_news::LiveNews;
use app::components::moment::{date_and_time, stamp};
use app::components::name::{Name, isolated};
use app::components::words::count;
use app::model::{Refused, SelectOption};
use app::request::request;
use app::scripts::LoadScript;
use leptos::either::Either;
use leptos::prelude::*;

use super::price::Sums;
use super::statements::StatementHead;
use super::summary::{Totals, state_in_words};
use crate::pages::auctions::checkout_facts::{
    AskedWinner, CheckoutAnswer, CheckoutDesk, CheckoutRow, CheckoutSale, CheckoutView,
};
use crate::pages::items::outcome_marks::{ITEM, MarkButtons};
use crate::pages::items::sold_price::SoldPrice;

const STALE: &str = "This may be out of date. Retrying…";
const LOST: &str = "The connection is lost: nothing was saved or shown. Try again.";

/// The forms that ask for a winner, and what is said about the answer.
#[component]
pub fn Desk(desk: CheckoutDesk, checkout: Option<CheckoutView>, path: String) -> impl IntoView {
    let CheckoutDesk { has_numbers, winners, stream } = desk;
    let (asked, answer) = checkout.map(|checkout| (checkout.asked, checkout.answer)).unzip();
    // A refused form has the focus on its error.
    let autofocus = use_context::<Refused>().is_none();
    let said = view! { <Said answer=answer.clone() asked=asked.clone() /> };
    let chosen = match &asked {
        Some(AskedWinner::User(id)) => id.clone(),
        Some(AskedWinner::Number(_)) | None => String::new(),
    };
    let forms = if has_numbers {
        let is_wrong = matches!(answer, Some(CheckoutAnswer::NotANumber | CheckoutAnswer::Unknown));
        // The next number is typed in its place.
        let typed = asked.filter(|_| is_wrong).map(|asked| asked.field().1.to_owned());
        let is_open = !chosen.is_empty();
        let others = (!winners.is_empty()).then(|| {
            view! {
                <details class="checkout-others" open=is_open>
                    <summary>"Winners without a number"</summary>
                    <form class="checkout-form" method="get" action=path.clone()>
                        <WinnerField winners chosen autofocus=false />
                        <button class="button quiet" type="submit">
                            "Show"
                        </button>
                    </form>
                </details>
            }
        });
        Either::Left(view! {
            <form class="checkout-form" method="get" action=path>
                <NumberField typed is_wrong autofocus />
                <button class="button" type="submit">
                    "Show"
                </button>
                {said}
            </form>
            {others}
        })
    } else {
        Either::Right(view! {
            <form class="checkout-form" method="get" action=path>
                <WinnerField winners chosen autofocus />
                <button class="button" type="submit">
                    "Show"
                </button>
                {said}
            </form>
        })
    };
    view! {
        <section class="checkout-desk" aria-labelledby="checkout" data-lost=LOST>
            <h2 id="checkout">"At the table"</h2>
            {forms}
            <div id="checkout-refused">
                <ErrorSummary />
            </div>
            <LiveNews class="hint" stale=STALE stream ignores="bid" />
        </section>
        <LoadScript script=BuiltFile::CheckoutScript />
    }
}

#[component]
fn NumberField(typed: Option<String>, is_wrong: bool, autofocus: bool) -> impl IntoView {
    view! {
        <div class="field" class:invalid=is_wrong>
            <label for="checkout-number">"Number"</label>
            <input
                id="checkout-number"
                name="number"
                type="text"
                inputmode="numeric"
                autocomplete="off"
                maxlength="20"
                value=typed
                autofocus=autofocus
                aria-invalid=is_wrong.then_some("true")
                aria-describedby="checkout-said"
            />
        </div>
    }
}

/// The choice of a winner by name.
#[component]
fn WinnerField(winners: Vec<SelectOption>, chosen: String, autofocus: bool) -> impl IntoView {
    let options = winners.into_iter().map(|winner| {
        let selected = winner.value == chosen;
        view! {
            <option value=winner.value selected=selected>
                {winner.label}
            </option>
        }
    });
    let options = options.collect::<Vec<_>>();
    view! {
        <div class="field">
            <label for="checkout-winner">"Winner"</label>
            <select id="checkout-winner" name="winner" autofocus=autofocus aria-describedby="checkout-said">
                <option value="">"Choose"</option>
                {options}
            </select>
        </div>
    }
}

/// What is said about the answer, beside the field.
#[component]
fn Said(answer: Option<CheckoutAnswer>, asked: Option<AskedWinner>) -> impl IntoView {
    let (class, words) = match answer {
        None => ("hint", String::new()),
        Some(CheckoutAnswer::NotANumber) => ("live field-error", "Enter a number, such as 17.".to_owned()),
        Some(CheckoutAnswer::Unknown) => match asked {
            Some(AskedWinner::Number(typed)) => {
                ("live field-error", format!("Nobody in this auction has the number {}.", typed.trim()))
            }
            Some(AskedWinner::User(_)) | None => {
                ("live field-error", "This person has won nothing.".to_owned())
            }
        },
        Some(CheckoutAnswer::Nothing(name)) => ("live", format!("{} has won nothing.", isolated(&name))),
        // The answer itself shows it.
        Some(CheckoutAnswer::Won(sale)) => {
            let items = count(u64::try_from(sale.totals.items).unwrap_or(0), "item", "items");
            ("live visually-hidden", format!("{} has won {items}.", isolated(&sale.name)))
        }
    };
    view! {
        <p id="checkout-said" class=class role="status">
            {words}
        </p>
    }
}

/// What the winner has won. Empty if that is nothing.
#[component]
pub fn CheckoutSaleView(checkout: CheckoutView, head: StatementHead, path: String) -> impl IntoView {
    let CheckoutView { asked, answer } = checkout;
    let CheckoutAnswer::Won(sale) = answer else { return None };
    let CheckoutSale { name, totals, due, rows } = *sale;
    let StatementHead { auction, organizer, collection } = head;
    let now = request().now;
    let form = MarkForm { action: format!("{path}/marks"), asked };
    let auction_path = path.trim_end_matches("/results").to_owned();
    let part = (rows.len() < totals.items)
        .then(|| view! { <p class="hint">{format!("{} of {} items.", rows.len(), totals.items)}</p> });
    let all = view! { <MarkAll form=form.clone() totals=totals.clone() rows=rows.clone() /> };
    let rows =
        rows.into_iter().map(|row| view! { <Lot row form=form.clone() auction=auction_path.clone() /> });
    let state = state_in_words(&totals);
    let due = due.map(|due| {
        view! {
            <div>
                <dt>"Still to pay"</dt>
                <dd class="checkout-due">
                    <Sums totals=due />
                </dd>
            </div>
        }
    });
    Some(view! {
        <section class="checkout" aria-labelledby="checkout-name">
            <h2 id="checkout-name"><Name text=name /></h2>
            <p class="checkout-of">
                <Name text=auction />
                {organizer.map(|organizer| view! { ", by " <Name text=organizer /> })} " · "
                <time datetime=stamp(now)>{date_and_time(now)}</time>
            </p>
            <dl class="checkout-sums">
                <div>
                    <dt>"Total"</dt>
                    <dd>
                        <Sums totals />
                    </dd>
                </div>
                {due}
                <div>
                    <dt>"State"</dt>
                    <dd>{state}</dd>
                </div>
            </dl>
            {all}
            {part}
            <ul class="checkout-lots" role="list">
                {rows.collect_view()}
            </ul>
            {(!collection.is_empty())
                .then(|| {
                    view! {
                        <p class="statement-collection">
                            <strong>"Pay and collect: "</strong>
                            {collection}
                        </p>
                    }
                })}
            <p class="actions">
                <button class="button quiet" type="button" data-print="">
                    "Print the statement"
                </button>
            </p>
        </section>
    })
}

/// Where marks are sent, and the winner whose checkout they lead back to.
#[derive(Debug, Clone)]
struct MarkForm {
    action: String,
    asked: AskedWinner,
}

/// The hidden fields of a form that marks these rows.
#[component]
fn MarkedItems(form: MarkForm, rows: Vec<CheckoutRow>) -> impl IntoView {
    let (name, value) = form.asked.field();
    let items = rows.into_iter().map(|CheckoutRow { row, .. }| {
        view! { <input type="hidden" name=ITEM value=row.outcome.seen(&row.item_id) /> }
    });
    let items = items.collect_view();
    view! {
        <input type="hidden" name=name value=value.to_owned() />
        {items}
    }
}

/// The buttons that mark everything at once, as far as it is not marked yet.
#[component]
fn MarkAll(form: MarkForm, totals: Totals, rows: Vec<CheckoutRow>) -> impl IntoView {
    let what = if rows.len() < totals.items { "these" } else { "all" };
    let is_paid = rows.iter().all(|row| row.row.outcome.paid_at.is_some());
    let is_collected = rows.iter().all(|row| row.row.outcome.collected_at.is_some());
    let buttons: &[(&str, &str)] = match (is_paid, is_collected) {
        (true, true) => return Either::Left(view! { <p class="checkout-done">"Everything is settled."</p> }),
        (true, false) => &[("collected", "collected")],
        (false, true) => &[("paid", "paid")],
        (false, false) => &[("settled", "paid and collected"), ("paid", "paid")],
    };
    let buttons = buttons.iter().enumerate().map(|(at, (name, words))| {
        let class = if at == 0 { "button primary" } else { "button quiet" };
        view! {
            <button class=class type="submit" id=format!("all-{name}") name=*name value="true">
                {format!("Mark {what} {words}")}
            </button>
        }
    });
    let buttons = buttons.collect_view();
    let action = form.action.clone();
    Either::Right(view! {
        <form class="actions checkout-all" method="post" action=action>
            <MarkedItems form rows />
            {buttons}
        </form>
    })
}

#[component]
fn Lot(row: CheckoutRow, form: MarkForm, auction: String) -> impl IntoView {
    let action = form.action.clone();
    let marked = view! { <MarkedItems form rows=vec![row.clone()] /> };
    let CheckoutRow { row, picture, .. } = row;
    let reason = row.outcome.reason.clone().map(|reason| view! { <p class="results-reason">{reason}</p> });
    let promised = row.outcome.promised.clone();
    let price = row.outcome.price.clone().map(|price| view! { <SoldPrice price promised /> });
    let charges = row.charges.into_iter().map(|charge| {
        view! {
            <p class="results-charge">
                <a href=charge.address>
                    <StaticFigures text=charge.words />
                </a>
            </p>
        }
    });
    let no_picture = picture.is_none().then(|| row.lot_number.clone());
    view! {
        <li class="checkout-lot">
            <div class="checkout-picture" data-lot=no_picture>
                {picture.map(|src| view! { <img src=src alt="" loading="lazy" width="64" height="64" /> })}
            </div>
            <div class="checkout-words">
                <p class="results-lot">{format!("Lot {}", row.lot_number)}</p>
                <h3>
                    <a href=format!("{auction}/items/{}", row.item_id)><Name text=row.name.clone() /></a>
                </h3>
                {reason}
                {charges.collect_view()}
            </div>
            <p class="checkout-price">{price}</p>
            <form class="results-marks" method="post" action=action>
                {marked}
                <MarkButtons outcome=row.outcome name=row.name anchor=row.item_id />
            </form>
        </li>
    }
}
