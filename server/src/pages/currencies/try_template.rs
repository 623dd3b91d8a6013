//! `/auctions/{auction_id}/currencies/templates/{template}`: a template in the test bench, before it is
//! chosen.

use app::components::error_page::LoadError;
use app::pages::auctions::currencies::try_template::{is_template, template_page};
use auction_house::ids::AuctionId;
use auction_house::path::AuctionPath;
use axum::response::Response;
use serde::Deserialize;

use super::read_editable;
use crate::pages::error::PageError;
use crate::pages::request::{PageAt, PageRequest};

#[derive(Debug, Clone, Deserialize)]
pub struct TemplatePath {
    auction_id: AuctionId,
    template: String,
}

/// `GET /auctions/{auction_id}/currencies/templates/{template}`
pub async fn show(PageAt(path): PageAt<TemplatePath>, request: PageRequest) -> Response {
    let read = async {
        let TemplatePath { auction_id, template } = path?;
        let page = read_editable(&request, Ok(AuctionPath { auction_id })).await?;
        if is_template(&template) { Ok((page, template)) } else { Err(PageError(LoadError::NotFound)) }
    };
    let page = read.await;
    request.render(page, |(page, template)| template_page(page, &template))
}
