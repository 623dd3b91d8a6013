//! `/auctions/{auction_id}/items/{item_id}/edit`: changes or deletes an item.

use app::components::error_page::LoadError;
use app::components::moment_field::shown_field;
use app::model::{ExistingItem, ItemFormPage};
use app::pages::items::edit::edit_item_page;
use auction_house::items::access::manage_item;
use auction_house::items::delete::delete_item;
use auction_house::items::patch::patch_item;
use auction_house::path::ItemPath;
use axum::response::Response;
use platform::body::Body;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;
use platform::precondition::Precondition;

use super::form::{FormItem, ItemForm, edits, form_page};
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
