//! The buttons in the list of rules, which switch rules and put them in order.

use axum::http::Uri;

use crate::pages::currencies::done;
use crate::pages::form_route::FormRequest;
use auction_house::path::RulePath;
use auction_house::rules::access::manage_rule;
use auction_house::rules::patch::patch_rule;
use auction_house::rules::reorder::{Direction, move_rule};
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::precondition::Precondition;

/// `POST /auctions/{auction_id}/currency-rules/{rule_id}/up`, a button in the list of rules.
pub async fn move_up(request: FormRequest<RulePath>) -> Result<String, Problem> {
    shift(request, Direction::Up).await
}

/// `POST /auctions/{auction_id}/currency-rules/{rule_id}/down`, a button in the list of rules.
pub async fn move_down(request: FormRequest<RulePath>) -> Result<String, Problem> {
    shift(request, Direction::Down).await
}

async fn shift(request: FormRequest<RulePath>, direction: Direction) -> Result<String, Problem> {
    let FormRequest { state, user, path: RulePath { auction_id, rule_id }, .. } = request;
    move_rule(&state.context, auction_id, rule_id, user, direction).await?;
    Ok(done(auction_id, "rules-ordered"))
}

/// `POST /auctions/{auction_id}/currency-rules/{rule_id}/switch`, a button in the list of rules.
pub async fn switch(request: FormRequest<RulePath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: RulePath { auction_id, rule_id }, .. } = request;
    let rule = {
        let mut db = state.context.db.read().await?;
        manage_rule(&mut db, auction_id, rule_id, user, state.context.clock.now()).await?
    };
    let mut patch = Object::default();
    patch.set("enabled", &!rule.definition.enabled);
    // Two concurrent requests must not switch the rule on and off again.
    let expected = Precondition::OneOf(vec![rule.version]);
    let switched = patch_rule(&state.context, auction_id, rule_id, user, patch, &expected).await?;
    let change = if switched.definition.enabled { "rule-on" } else { "rule-off" };
    Ok(done(auction_id, change))
}

/// The list of rules, from the address of a button in it.
pub fn list_page(button: &Uri) -> Uri {
    let auction = button.path().split("/currency-rules/").next().unwrap_or_default();
    format!("{auction}/currencies").parse().unwrap_or_default()
}
