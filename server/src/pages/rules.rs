//! The forms of an auction's rules, and the buttons that switch them and put them in order.

use axum::http::Uri;
use serde::Serialize;

use super::currencies::list;
use super::form::{Form, FormBody, meant_for, renamed, renamed_rows, texts};
use super::posted::Posted;
use auction_house::path::{AuctionPath, RulePath};
use auction_house::rules::access::manage_rule;
use auction_house::rules::create::create_rule;
use auction_house::rules::delete::delete_rule;
use auction_house::rules::patch::patch_rule;
use auction_house::rules::reorder::{Direction, move_rule};
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::precondition::Precondition;

/// `POST /auctions/{auction_id}/currency-rules/new`
pub async fn create(posted: Posted<AuctionPath>) -> Result<String, Problem> {
    let Posted { state, user, path: AuctionPath { auction_id }, form } = posted;
    let body = Body::read(&form);
    let made = create_rule(&state.context, auction_id, user, FormBody { object: body.object, form }).await;
    made.map_err(|error| in_form(error.into(), &body.rows))?;
    Ok(list(auction_id, "rule-saved"))
}

/// `POST /auctions/{auction_id}/currency-rules/{rule_id}`
pub async fn change(posted: Posted<RulePath>) -> Result<String, Problem> {
    let Posted { state, user, path: RulePath { auction_id, rule_id }, form } = posted;
    let body = Body::read(&form);
    let patched = patch_rule(&state.context, auction_id, rule_id, user, body.object, &meant_for(&form)).await;
    patched.map_err(|error| in_form(error.into(), &body.rows))?;
    Ok(list(auction_id, "rule-saved"))
}

/// `POST /auctions/{auction_id}/currency-rules/{rule_id}/delete`, a button on the rule's page.
pub async fn delete(posted: Posted<RulePath>) -> Result<String, Problem> {
    let Posted { state, user, path: RulePath { auction_id, rule_id }, .. } = posted;
    delete_rule(&state.context, auction_id, rule_id, user, &Precondition::None).await?;
    Ok(list(auction_id, "rule-deleted"))
}

/// `POST /auctions/{auction_id}/currency-rules/{rule_id}/up`, a button in the list of rules.
pub async fn move_up(posted: Posted<RulePath>) -> Result<String, Problem> {
    shift(posted, Direction::Up).await
}

/// `POST /auctions/{auction_id}/currency-rules/{rule_id}/down`, a button in the list of rules.
pub async fn move_down(posted: Posted<RulePath>) -> Result<String, Problem> {
    shift(posted, Direction::Down).await
}

async fn shift(posted: Posted<RulePath>, direction: Direction) -> Result<String, Problem> {
    let Posted { state, user, path: RulePath { auction_id, rule_id }, .. } = posted;
    move_rule(&state.context, auction_id, rule_id, user, direction).await?;
    Ok(list(auction_id, "rules-ordered"))
}

/// `POST /auctions/{auction_id}/currency-rules/{rule_id}/switch`, a button in the list of rules.
pub async fn switch(posted: Posted<RulePath>) -> Result<String, Problem> {
    let Posted { state, user, path: RulePath { auction_id, rule_id }, .. } = posted;
    let rule = {
        let mut db = state.context.db.read().await?;
        manage_rule(&mut db, auction_id, rule_id, user, state.context.clock.now()).await?
    };
    let mut patch = Object::default();
    patch.set("enabled", &!rule.definition.enabled);
    // Meant for the version that was read: two people who switch at once don't undo each other.
    let seen = Precondition::OneOf(vec![rule.version]);
    let switched = patch_rule(&state.context, auction_id, rule_id, user, patch, &seen).await?;
    let done = if switched.definition.enabled { "rule-on" } else { "rule-off" };
    Ok(list(auction_id, done))
}

/// The list of rules, from the address of a button in it.
pub fn list_page(button: &Uri) -> Uri {
    let auction = button.path().split("/currency-rules/").next().unwrap_or_default();
    format!("{auction}/currencies").parse().unwrap_or_default()
}

/// The problem with the form's names. Which currency a piece is of is told by the piece.
fn in_form(problem: Problem, rows: &[usize]) -> Problem {
    renamed_rows(renamed(problem, &[("params", "params.amount")]), "params.tiers", rows)
}

/// What the form says, as the API takes it. `rows` are the rows of the form that its steps stand in.
struct Body {
    object: Object,
    rows: Vec<usize>,
}

#[derive(Serialize)]
struct Step {
    from: Option<String>,
    amount: Option<String>,
}

impl Body {
    fn read(form: &Form) -> Self {
        let mut object = texts(form, &["type"]);
        object.set("enabled", &form.get("enabled").is_some());
        let mut params = Object::default();
        let mut rows = Vec::new();
        if form.get("type") == Some("MIN_INCREMENT") {
            object.set("currencyProfileId", &form.get("currencyProfileId"));
            match form.get("kind") {
                Some("tiers") => {
                    let (filled, steps): (Vec<_>, Vec<_>) = steps(form).unzip();
                    rows = filled;
                    params.set("tiers", &steps);
                }
                kind => {
                    let member = if kind == Some("percent") { "percent" } else { "amount" };
                    params.set(member, &form.text(&format!("params.{member}")));
                }
            }
        } else {
            let (currency, piece) = form.text("params.denomination").split_once(' ').unwrap_or_default();
            object.set("currencyProfileId", &currency);
            params.set("denomination", &piece);
            let member =
                if form.get("type") == Some("MIN_COMPONENT_RATIO") { "minRatio" } else { "minCount" };
            params.set(member, &form.text(&format!("params.{member}")));
        }
        object.set("params", &params);
        Self { object, rows }
    }
}

/// The rows that are filled in.
fn steps(form: &Form) -> impl Iterator<Item = (usize, Step)> {
    form.rows("params.tiers").filter_map(|row| {
        let part = |part: &str| form.get(&format!("params.tiers.{row}.{part}")).map(str::to_owned);
        let step = Step { from: part("from"), amount: part("amount") };
        (step.from.is_some() || step.amount.is_some()).then_some((row, step))
    })
}
