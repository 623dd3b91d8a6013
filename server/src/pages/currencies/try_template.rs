//! `/auctions/{auction_id}/currencies/templates/{template}`: a template in the test bench, before it is
//! chosen.

use app::components::error_page::LoadError;
use app::html::{Html, html};
use app::model::BaseUnit;
use auction_house::ids::AuctionId;
use auction_house::path::AuctionPath;
use axum::response::Response;
use leptos::prelude::*;
use serde::Deserialize;

use super::list::{CurrenciesLayout, CurrencyList};
use super::template::Template;
use super::{CurrenciesPage, read_editable};
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

/// Returns whether there is a template of this key.
fn is_template(key: &str) -> bool {
    Template::find(key).is_some()
}

/// The page of the template. Without one of this key it is the page of the present currencies.
fn template_page(page: CurrenciesPage, key: &str) -> Html {
    let new = format!("{}/currencies/new", page.path());
    let template = Template::find(key);
    let title = template.map_or("New currency", |template| template.title);
    let tried = match template.map(|template| template.entry()) {
        Some(entry) => CurrenciesPage {
            can_edit: false,
            base_unit: BaseUnit { written_in: Some(Box::new(entry.currency.clone())), ..page.base_unit },
            currencies: vec![entry],
            rules: Vec::new(),
            ..page
        },
        None => page,
    };
    let use_it = format!("{new}?template={key}");
    html(view! {
        <CurrenciesLayout page=tried.clone() title>
            <p class="lead">
                {template.map(|template| template.about)}
                ". Type an amount in the test bench: nothing is saved before you use the template and save its form."
            </p>
            <CurrencyList page=tried />
            <div class="actions">
                <a class="button primary" href=use_it>
                    "Use this"
                </a>
                <a class="button quiet" href=new>
                    "Other templates"
                </a>
            </div>
        </CurrenciesLayout>
    })
}
