//! Who is present, on the page of a clerk.

use std::collections::BTreeSet;

use accounts::groups::{self, GroupCode};
use app::components::field::{Field, TextField, refused_value};
use app::request::query_part;
use auction_house::access::{self, Action};
use auction_house::auctions::access::{AuctionView, authorize};
use auction_house::members::present::{NAMED_MAX, set_present};
use auction_house::path::AuctionPath;
use auction_house::usage;
use leptos::either::Either;
use leptos::prelude::*;
use platform::db::{Connection, DbError};
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;

use crate::pages::form::Form;
use crate::pages::form_route::FormRequest;

/// The members of an auction who are present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresentMembers {
    count: usize,
    /// They are recorded by their numbers.
    have_numbers: bool,
}

/// How many members are present; none where no book shares among them what was spent, unless the form was
/// refused, which then has its error beside its field.
pub async fn read(
    db: &mut Connection,
    auction: &AuctionView,
    is_refused: bool,
) -> Result<Option<PresentMembers>, DbError> {
    let terms = &auction.auction.terms;
    if terms.book_id.is_none() && !is_refused {
        return Ok(None);
    }
    let count = access::store::present(db, auction.auction.id).await?.len();
    let have_numbers = terms.group_id.is_some() || is_refused;
    Ok(Some(PresentMembers { count, have_numbers }))
}

/// `POST /auctions/{auction_id}/clerk/present`
pub async fn set(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let is_present = form.text("present") != "false";
    let (conn, now) = (&mut state.context.db.read().await?, state.context.clock.now());
    let auction = authorize(conn, auction_id, user, now).await?.require(Action::RunHall)?;
    let code = match auction.auction.terms.group_id {
        Some(group) => groups::store::code(conn, group).await?,
        None => None,
    };
    let members = usage::numbers_of_members(conn, auction_id).await?.into_values().collect();
    let typed = typed(&form, &Hall { members, code });
    if typed.len() > NAMED_MAX {
        let sentence = "Enter at most 1,000 members at once, such as 2–500 and then 501–1000.";
        return Err(Problem::fields(vec![FieldError::explained(NUMBERS.name, sentence)]));
    }
    // A text that is no number is that of nobody.
    let numbers: Vec<i64> = typed.iter().map(|(_, number)| number.unwrap_or(0)).collect();
    let mut object = Object::default();
    object.set_given(NUMBERS.name, Some(&numbers).filter(|numbers| !numbers.is_empty()));
    object.set("present", &is_present);
    let set = set_present(&state.context, auction_id, user, object).await;
    set.map_err(|error| beside_numbers(error.into(), &typed))?;
    let done = if is_present { "present" } else { "absent" };
    Ok(format!("/auctions/{auction_id}/clerk?done={done}"))
}

/// What typed numbers may mean.
struct Hall {
    /// Numbers of the members.
    members: BTreeSet<i64>,
    /// The code on the cards of the group.
    code: Option<GroupCode>,
}

impl Hall {
    /// The number on a card of the group, whose code a scanner has typed.
    fn number_of_card(&self, scanned: &str) -> Option<i64> {
        let (_, card) = scanned.split_once('#')?;
        let mut parts = card.split('.');
        let code: GroupCode = parts.next()?.parse().ok()?;
        parts.next()?.parse().ok().filter(|_| self.code.as_ref() == Some(&code))
    }
}

/// The typed numbers, each as it stands and as it is read. Those from one to another are the ones that
/// members have.
fn typed(form: &Form, hall: &Hall) -> Vec<(String, Option<i64>)> {
    let apart = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';');
    let joined =
        [" - ", " – "].iter().fold(form.text(NUMBERS.name).to_owned(), |text, dash| text.replace(dash, "–"));
    let words = joined.split(apart).filter(|word| !word.is_empty());
    let mut numbers = Vec::new();
    for word in words {
        let number = |text: &str| form.typed(text).parse::<i64>().ok();
        let span = word.split_once(['-', '–']).and_then(|(from, to)| Some(number(from)?..=number(to)?));
        let spanned: Vec<i64> = match span {
            Some(span) if !span.is_empty() => hall.members.range(span).copied().collect(),
            _ => Vec::new(),
        };
        if spanned.is_empty() {
            let read = if word.contains('#') { hall.number_of_card(word) } else { number(word) };
            numbers.push((word.to_owned(), read));
        } else {
            numbers.extend(spanned.into_iter().map(|number| (word.to_owned(), Some(number))));
        }
    }
    numbers
}

/// The problem in one sentence that names the numbers of nobody.
fn beside_numbers(mut problem: Problem, typed: &[(String, Option<i64>)]) -> Problem {
    let unknown = problem.fields.iter().filter_map(|error| {
        let at: usize = error.path.strip_prefix(NUMBERS.name)?.strip_prefix('.')?.parse().ok()?;
        Some(typed.get(at)?.0.as_str())
    });
    let unknown = unknown.collect::<Vec<_>>();
    if !unknown.is_empty() {
        let sentence = format!("No member of this auction has the number {}.", unknown.join(", "));
        problem.fields = vec![FieldError::explained(NUMBERS.name, sentence)];
    }
    problem
}

/// The numbers of members who have come or gone.
pub const NUMBERS: Field = Field::new("numbers", "Numbers", "Enter numbers of members, such as 3, 17, 20.");

/// How many are present, and the form that records it by number. `path` is that of the page.
#[component]
pub fn Present(present: PresentMembers, auction: String, path: String) -> impl IntoView {
    let PresentMembers { count, have_numbers } = present;
    let said = match query_part("done").as_deref() {
        Some("present") => Some("Recorded: they are present."),
        Some("absent") => Some("Recorded: they are not present any more."),
        _ => None,
    };
    let is_open = said.is_some() || refused_value(NUMBERS.name).is_some();
    let members = view! { <a href=format!("{auction}/members")>"All members"</a> };
    let form = if have_numbers {
        Either::Left(view! {
            <form method="post" action=format!("{path}/present") novalidate>
                <TextField field=NUMBERS hint="Such as 3, 17, 20–29. A card can be scanned." inputmode="text" autocomplete="off" />
                <div class="actions">
                    <button class="button" type="submit" name="present" value="true">
                        "They are here"
                    </button>
                    <button class="button quiet" type="submit" name="present" value="false">
                        "They have left"
                    </button>
                </div>
            </form>
        })
    } else {
        Either::Right(view! { <p class="hint">"Mark them on the page of the members."</p> })
    };
    view! {
        <details class="clerk-present" open=is_open>
            <summary>{format!("Present: {count}")}</summary>
            {said.map(|said| view! { <p class="done" role="status">{said}</p> })}
            <p class="hint">"What is spent is shared among the people who are present." " " {members}</p>
            {form}
        </details>
    }
}
