//! `/auctions/{auction_id}/items/{item_id}/edit`: changes or deletes an item.

use app::components::error_page::LoadError;
use app::components::moment_field::shown_field;
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::components::saved_form::{Existing, SavedForm};
use app::html::{Html, html};
use auction_house::items::access::manage_item;
use auction_house::items::delete::delete_item;
use auction_house::items::patch::patch_item;
use auction_house::path::ItemPath;
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;
use platform::body::Body;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;
use platform::precondition::Precondition;

use super::fields::{ExistingItem, FIELDS, ItemFields, ItemFormPage, fill};
use super::form::{FormItem, ItemForm, edits, form_page};
use super::{format_fields, price_fields};
use crate::pages::amounts::Amounts;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::{Form, meant_for};
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};

/// `GET /auctions/{auction_id}/items/{item_id}/edit`
pub async fn show(PageAt(path): PageAt<ItemPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, |(page, existing)| edit_item_page(page, existing))
}

async fn read(request: &PageRequest, path: Loaded<ItemPath>) -> Loaded<(ItemFormPage, ExistingItem)> {
    let (ItemPath { auction_id, item_id }, user) = (path?, request.user_id()?);
    let mut db = request.db().await?;
    let (auction, seen) = manage_item(&mut db, auction_id, item_id, user, request.now).await?;
    let item = FormItem::Existing(Box::new(seen));
    let page = form_page(&mut db, auction, item, request.now).await?;
    let existing = page.existing.clone().ok_or(PageError(LoadError::NotFound))?;
    Ok((page, existing))
}

/// `POST /auctions/{auction_id}/items/{item_id}/edit`
pub async fn change(request: FormRequest<ItemPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: ItemPath { auction_id, item_id }, form } = request;
    let now = state.context.clock.now();
    let mut db = state.context.db.read().await?;
    let (_, seen) = manage_item(&mut db, auction_id, item_id, user, now).await?;
    let amounts = Amounts::of_auction(&mut db, auction_id, user, now).await?;
    drop(db);
    // Bids since the form was shown do not matter: the API's version would count them.
    meant_for(&form).check(edits(&seen))?;
    let body = ItemChange(ItemForm { form, amounts });
    patch_item(&state.context, auction_id, item_id, user, body, &Precondition::None).await?;
    Ok(format!("/auctions/{auction_id}/items/{item_id}"))
}

/// `POST /auctions/{auction_id}/items/{item_id}/edit/delete`, a button.
pub async fn delete(request: FormRequest<ItemPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: ItemPath { auction_id, item_id }, .. } = request;
    delete_item(&state.context, auction_id, item_id, user, &Precondition::None).await?;
    Ok(format!("/auctions/{auction_id}"))
}

/// The change that a form describes. An end that is as the form showed it stays wherever a late bid has moved
/// it.
struct ItemChange(ItemForm);

impl Body for ItemChange {
    fn read(self) -> Result<Object, Problem> {
        let form = std::sync::Arc::clone(&self.0.form);
        let mut object = self.0.read()?;
        if shows_same_end(&form) {
            object.remove("endDate");
        }
        Ok(object)
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        self.0.keyed()
    }
}

fn shows_same_end(form: &Form) -> bool {
    let shown = form.get(&shown_field("endDate"));
    form.moment("endDate").is_ok_and(|end| end.as_deref() == shown)
}

/// Why an item can't be deleted.
const HAS_BIDS: &str = "The item has bids. Their record stays, so the item can’t be deleted.";

fn edit_item_page(page: ItemFormPage, existing: ExistingItem) -> Html {
    fill(&page);
    let auction = format!("/auctions/{}", page.auction_id);
    let item = format!("{auction}/items/{}", existing.id);
    let (auction_name, name) = (page.auction_name.clone(), existing.name.clone());
    let form = if existing.closed {
        Either::Left(view! { <p class="notice">"This item is closed: it stays as it is."</p> })
    } else {
        Either::Right(view! { <Form page existing item=item.clone() /> })
    };
    html(view! {
        <PageTitle text=format!("Edit {name}") />
        <section class="form-page wide">
            <p class="eyebrow">
                <a href=auction><Name text=auction_name /></a>
                " / "
                <a href=item>{name}</a>
            </p>
            <h1>"Edit item"</h1>
            {form}
        </section>
    })
}

#[component]
fn Form(page: ItemFormPage, existing: ExistingItem, item: String) -> impl IntoView {
    let existing = Existing {
        version: existing.version,
        name: existing.name,
        delete: format!("{item}/edit/delete"),
        delete_blocked: existing.has_bids.then_some(HAS_BIDS),
    };
    view! {
        <SavedForm fields=&[FIELDS, price_fields::FIELDS, format_fields::FIELDS] save="Save item" back=item existing=Some(existing)>
            <ItemFields page save="Save item" />
        </SavedForm>
    }
}
