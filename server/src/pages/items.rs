//! The forms of items, apart from their bids.

use app::components::moment_field::shown_field;
use auction_house::items::access::manage_item;
use auction_house::items::delete::delete_item;
use auction_house::items::patch::patch_item;
use auction_house::items::watch::watch_item;
use auction_house::path::ItemPath;
use platform::body::Body;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;
use platform::precondition::Precondition;

use super::form::{Form, local, meant_for};
use super::item_form::{ItemForm, edits};
use super::posted::Posted;

/// `POST /auctions/{auction_id}/items/{item_id}/edit`
pub async fn change(posted: Posted<ItemPath>) -> Result<String, Problem> {
    let Posted { state, user, path: ItemPath { auction_id, item_id }, form } = posted;
    let now = state.context.clock.now();
    let mut db = state.context.db.read().await?;
    let (_, seen) = manage_item(&mut db, auction_id, item_id, user, now).await?;
    drop(db);
    // Bids since the form was shown do not matter: the API's version would count them.
    meant_for(&form).check(edits(&seen))?;
    let body = ItemChange(ItemForm(form));
    patch_item(&state.context, auction_id, item_id, user, body, &Precondition::None).await?;
    Ok(format!("/auctions/{auction_id}/items/{item_id}"))
}

/// `POST /auctions/{auction_id}/items/{item_id}/edit/delete`, a button.
pub async fn delete(posted: Posted<ItemPath>) -> Result<String, Problem> {
    let Posted { state, user, path: ItemPath { auction_id, item_id }, .. } = posted;
    delete_item(&state.context, auction_id, item_id, user, &Precondition::None).await?;
    Ok(format!("/auctions/{auction_id}"))
}

/// The change that a form describes. An end that is as the form showed it stays wherever a late bid has moved it.
struct ItemChange(ItemForm);

impl Body for ItemChange {
    fn read(self) -> Result<Object, Problem> {
        let form = std::sync::Arc::clone(&self.0.0);
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

/// `POST /auctions/{auction_id}/items/{item_id}/watch`, a button of the catalogue and of the item's page. Returns to the
/// page that it was on.
pub async fn watch(posted: Posted<ItemPath>) -> Result<String, Problem> {
    let Posted { state, user, path: ItemPath { auction_id, item_id }, form } = posted;
    watch_item(&state.context, auction_id, item_id, user, form.get("watched") == Some("true")).await?;
    let item = format!("/auctions/{auction_id}/items/{item_id}");
    Ok(local(form.get("back")).map_or(item, str::to_owned))
}
