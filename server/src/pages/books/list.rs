//! `/books`: the viewer's books, each with what the viewer has in it.

use app::model::{BookEntry, Listing};
use app::pages::books::list::books_page;
use axum::response::Response;

use super::facts::list;
use crate::pages::error::Loaded;
use crate::pages::request::PageRequest;

/// `GET /books`
pub async fn show(request: PageRequest) -> Response {
    let (books, cursor) = (read(&request).await, request.cursor());
    request.render(books, |books| books_page(books, cursor))
}

async fn read(request: &PageRequest) -> Loaded<Listing<BookEntry>> {
    let user = request.user_id()?;
    list(&mut request.db().await?, user, request.page()).await
}
