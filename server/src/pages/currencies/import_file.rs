//! `/auctions/{auction_id}/currencies/import/file`: the form that adds currencies and rules from a file.

use super::import::{FILE, LONG_SET, SET};
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::currency_sets::add::add_currency_set;
use auction_house::ids::UserId;
use auction_house::path::AuctionPath;
use axum::routing::MethodRouter;
use platform::http::body::FILE_BYTES_MAX;
use platform::http::problem::Problem;

use super::done;
use super::import::{beside, of_text, show};
use crate::pages::form::renamed;
use crate::pages::import_file::{
    FileContent, ImportForm, Importing, SHOWN_BYTES_MAX, TextBody, import_route,
};
use crate::state::AppState;

/// `POST /auctions/{auction_id}/currencies/import/file`
pub fn form() -> MethodRouter<AppState> {
    let shape = ImportForm {
        file: FILE.name,
        pasted: SET.name,
        further: &[],
        content: FileContent::Text(FILE_BYTES_MAX),
        nothing: "Choose a file, or paste its contents.",
        shown: |text| if text.len() <= SHOWN_BYTES_MAX { &[SET.name] } else { &[LONG_SET] },
        below: 1,
        unread: None,
    };
    import_route(shape, show, may_import, import)
}

async fn may_import(state: AppState, user: UserId, path: AuctionPath) -> Result<(), Problem> {
    let mut db = state.context.db.read().await?;
    let now = state.context.clock.now();
    authorize(&mut db, path.auction_id, user, now).await?.require(Action::ManageCurrencies)?;
    Ok(())
}

async fn import(importing: Importing<AuctionPath>) -> Result<String, Problem> {
    let Importing { state, user, path: AuctionPath { auction_id }, text, keyed, .. } = importing;
    let body = TextBody { text, keyed, read: of_text };
    let added = add_currency_set(&state.context, auction_id, user, body).await;
    added.map_err(|error| renamed(beside(SET.name, error.into()), &[("", SET.name)]))?;
    Ok(done(auction_id, "set-added"))
}
