//! `/draw`

use app::pages::draw::draw_page;
use axum::response::Response;

use super::request::PageRequest;

/// `GET /draw`
pub async fn show(request: PageRequest) -> Response {
    request.render(Ok(()), |()| draw_page())
}
