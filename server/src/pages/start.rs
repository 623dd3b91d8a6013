//! `/`

use app::pages::start::start_page;
use axum::response::Response;

use super::request::PageRequest;

/// `GET /`
pub async fn show(request: PageRequest) -> Response {
    request.render(Ok(()), |()| start_page())
}
