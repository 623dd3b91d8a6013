//! The forms of an auction's rules, and the buttons that switch them and put them in order.

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde::Serialize;

use super::currencies::list;
use super::form::{Form, answer, meant_for, parent, renamed, renamed_rows, signed_in, texts};
use crate::accounts::User;
use crate::accounts::session::MaybeUser;
use crate::fields::Object;
use crate::http::path::{At, AuctionPath, RulePath};
use crate::http::problem::Problem;
use crate::precondition::Precondition;
use crate::rules::create::create_rule;
use crate::rules::delete::delete_rule;
use crate::rules::patch::patch_rule;
use crate::rules::reorder::{Direction, move_rule};
use crate::rules::see::manage_rule;
use crate::state::AppState;

/// `POST /auctions/{auction_id}/currency-rules/new`
pub async fn post_new_rule(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<AuctionPath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    let done = try_create(&state, user.as_ref(), path, &form).await;
    answer(state, user, uri, &form, done).await
}

/// `POST /auctions/{auction_id}/currency-rules/{rule_id}`
pub async fn post_rule(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<RulePath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    let done = try_patch(&state, user.as_ref(), path, &form).await;
    answer(state, user, uri, &form, done).await
}

/// `POST /auctions/{auction_id}/currency-rules/{rule_id}/delete`, a button on the rule's page.
pub async fn post_delete(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<RulePath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    let done = try_delete(&state, user.as_ref(), path).await;
    answer(state, user, parent(&uri), &form, done).await
}

/// `POST …/{rule_id}/up`, `/down` and `/switch`: buttons in the list of rules.
pub async fn post_change(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<RulePath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    let change = uri.path().rsplit('/').next().unwrap_or_default();
    let list = match &path {
        Ok(At(path)) => format!("/auctions/{}/currencies", path.auction_id),
        Err(_) => "/auctions".to_owned(),
    };
    let done = try_change(&state, user.as_ref(), path, change).await;
    answer(state, user, list.parse().unwrap_or(uri), &form, done).await
}

async fn try_create(
    state: &AppState,
    user: Option<&User>,
    path: Result<At<AuctionPath>, Problem>,
    form: &Form,
) -> Result<String, Problem> {
    let user = signed_in(user)?;
    let auction_id = path?.0.auction_id;
    form.check()?;
    let body = Body::read(form);
    create_rule(state, auction_id, user, body.object)
        .await
        .map_err(|error| in_form(error.into(), &body.rows))?;
    Ok(list(auction_id, "rule-saved"))
}

async fn try_patch(
    state: &AppState,
    user: Option<&User>,
    path: Result<At<RulePath>, Problem>,
    form: &Form,
) -> Result<String, Problem> {
    let user = signed_in(user)?;
    let At(path) = path?;
    form.check()?;
    let body = Body::read(form);
    let patched = patch_rule(state, path.auction_id, path.rule_id, user, body.object, &meant_for(form)).await;
    patched.map_err(|error| in_form(error.into(), &body.rows))?;
    Ok(list(path.auction_id, "rule-saved"))
}

async fn try_delete(
    state: &AppState,
    user: Option<&User>,
    path: Result<At<RulePath>, Problem>,
) -> Result<String, Problem> {
    let user = signed_in(user)?;
    let At(path) = path?;
    delete_rule(state, path.auction_id, path.rule_id, user, &Precondition::None).await?;
    Ok(list(path.auction_id, "rule-deleted"))
}

async fn try_change(
    state: &AppState,
    user: Option<&User>,
    path: Result<At<RulePath>, Problem>,
    change: &str,
) -> Result<String, Problem> {
    let user = signed_in(user)?;
    let At(path) = path?;
    let direction = match change {
        "up" => Some(Direction::Up),
        "down" => Some(Direction::Down),
        _ => None,
    };
    if let Some(direction) = direction {
        move_rule(state, path.auction_id, path.rule_id, user, direction).await?;
        return Ok(list(path.auction_id, "rules-ordered"));
    }
    let rule = {
        let mut db = state.db.read().await?;
        manage_rule(&mut db, path.auction_id, path.rule_id, user, state.clock.now()).await?
    };
    let mut patch = Object::default();
    patch.set("enabled", &!rule.definition.enabled);
    // Meant for the version that was read: two people who switch at once don't undo each other.
    let seen = Precondition::OneOf(vec![rule.version]);
    let switched = patch_rule(state, path.auction_id, path.rule_id, user, patch, &seen).await?;
    let done = if switched.definition.enabled { "rule-on" } else { "rule-off" };
    Ok(list(path.auction_id, done))
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
