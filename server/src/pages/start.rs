//! `/`

use app::pages::start::start_page;
use axum::response::Response;

use super::request::PageRequest;

/// `GET /`
pub async fn show(request: PageRequest) -> Response {
    let demo = request.state.demo.get().cloned();
    request.render(Ok(demo), start_page)
}
