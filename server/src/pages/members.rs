//! The forms of the page of an auction's members, and of the pages to which its link and its invites lead.

use axum::http::Uri;

use super::form::FormBody;
use super::form::texts;
use super::posted::Posted;
use auction_house::auctions;
use auction_house::ids::AuctionId;
use auction_house::members::change_role::change_role;
use auction_house::members::invites::accept::accept_invite;
use auction_house::members::invites::create::create_invite;
use auction_house::members::invites::delete;
use auction_house::members::join;
use auction_house::members::link::renew_link;
use auction_house::members::remove::remove_member;
use auction_house::members::transfer as transferring;
use auction_house::path::{AuctionPath, InvitePath, MemberPath, TokenPath};
use platform::fields::Object;
use platform::http::problem::{Code, Problem};

/// The page of the members, for the address of each of its forms.
pub fn page(uri: &Uri) -> Uri {
    let auction = uri.path().split("/members/").next().unwrap_or_default();
    format!("{auction}/members").parse().unwrap_or_default()
}

/// The page with the success message of a form.
fn done(auction_id: AuctionId, form: &str) -> String {
    format!("/auctions/{auction_id}/members?done={form}")
}

/// `POST /auctions/{auction_id}/members/link`, a button.
pub async fn new_link(posted: Posted<AuctionPath>) -> Result<String, Problem> {
    let Posted { state, user, path: AuctionPath { auction_id }, .. } = posted;
    renew_link(&state.context, auction_id, user).await?;
    Ok(done(auction_id, "link"))
}

/// `POST /auctions/{auction_id}/members/invites`
pub async fn invite(posted: Posted<AuctionPath>) -> Result<String, Problem> {
    let Posted { state, user, path: AuctionPath { auction_id }, form } = posted;
    let object = texts(&form, &["email", "role"]);
    create_invite(&state.context, auction_id, user, FormBody { object, form }).await?;
    Ok(done(auction_id, "invited"))
}

/// `POST /auctions/{auction_id}/members/invites/{invite_id}/delete`, a button.
pub async fn delete_invite(posted: Posted<InvitePath>) -> Result<String, Problem> {
    let Posted { state, user, path: InvitePath { auction_id, invite_id }, .. } = posted;
    delete::delete_invite(&state.context, auction_id, user, invite_id).await?;
    Ok(done(auction_id, "deleted"))
}

/// `POST /auctions/{auction_id}/members/{user_id}/role`
pub async fn give_role(posted: Posted<MemberPath>) -> Result<String, Problem> {
    let Posted { state, user, path: MemberPath { auction_id, user_id }, form } = posted;
    change_role(&state.context, auction_id, user, user_id, texts(&form, &["role"])).await?;
    Ok(done(auction_id, "role"))
}

/// `POST /auctions/{auction_id}/members/{user_id}/remove`, a button. A member who leaves may no longer see the page.
pub async fn remove(posted: Posted<MemberPath>) -> Result<String, Problem> {
    let Posted { state, user, path: MemberPath { auction_id, user_id }, .. } = posted;
    remove_member(&state.context, auction_id, user, user_id).await?;
    Ok(if user == user_id { "/auctions".to_owned() } else { done(auction_id, "removed") })
}

/// `POST /auctions/{auction_id}/members/transfer`
pub async fn transfer(posted: Posted<AuctionPath>) -> Result<String, Problem> {
    let Posted { state, user, path: AuctionPath { auction_id }, form } = posted;
    transferring::transfer(&state.context, auction_id, user, texts(&form, &["userId"])).await?;
    Ok(done(auction_id, "transferred"))
}

/// `POST /join/{token}`, a button.
pub async fn join_by_link(posted: Posted<TokenPath>) -> Result<String, Problem> {
    let Posted { state, user, path: TokenPath { token }, .. } = posted;
    let found = auctions::store::by_link(&mut state.context.db.read().await?, &token).await?;
    let auction_id = found.ok_or_else(Problem::not_found)?;
    let mut body = Object::default();
    body.set("inviteToken", &token);
    join::join(&state.context, auction_id, user, body).await?;
    Ok(format!("/auctions/{auction_id}"))
}

/// `POST /invites/{token}`, a button.
pub async fn accept(posted: Posted<TokenPath>) -> Result<String, Problem> {
    let Posted { state, user, path: TokenPath { token }, .. } = posted;
    let account = accounts::store::user_by_id(&mut state.context.db.read().await?, user).await?;
    let account = account.ok_or_else(|| Problem::plain(Code::Unauthenticated))?;
    let seen = accept_invite(&state.context, &account, &token).await?;
    Ok(format!("/auctions/{}", seen.auction.id))
}
