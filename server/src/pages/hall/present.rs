//! Who is present, on the page of a clerk.

use std::collections::BTreeSet;

use app::model::PresentMembers;
use app::pages::hall::present::NUMBERS;

use crate::pages::form::Form;
use crate::pages::form_route::FormRequest;
use auction_house::access;
use auction_house::auctions::access::AuctionView;
use auction_house::members::present::set_present;
use auction_house::path::AuctionPath;
use auction_house::usage;
use platform::db::{Connection, DbError};
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;

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
    let members = usage::numbers_of_members(&mut state.context.db.read().await?, auction_id).await?;
    let members: BTreeSet<i64> = members.into_values().collect();
    let typed = typed(&form, &members);
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

/// The typed numbers, each as it stands and as it is read. Those from one to another are the ones that
/// `members` have.
fn typed(form: &Form, members: &BTreeSet<i64>) -> Vec<(String, Option<i64>)> {
    let apart = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';');
    let words = form.text(NUMBERS.name).split(apart).filter(|word| !word.is_empty());
    let mut numbers = Vec::new();
    for word in words {
        let number = |text: &str| form.typed(text).parse::<i64>().ok();
        let span = word.split_once(['-', '–']).and_then(|(from, to)| Some(number(from)?..=number(to)?));
        let spanned: Vec<i64> = match span {
            Some(span) if !span.is_empty() => members.range(span).copied().collect(),
            _ => Vec::new(),
        };
        if spanned.is_empty() {
            numbers.push((word.to_owned(), number_of_card(word).or_else(|| number(word))));
        } else {
            numbers.extend(spanned.into_iter().map(|number| (word.to_owned(), Some(number))));
        }
    }
    numbers
}

/// The number on a card whose code a scanner has typed.
fn number_of_card(scanned: &str) -> Option<i64> {
    let (_, card) = scanned.split_once('#')?;
    card.split('.').nth(1)?.parse().ok()
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
