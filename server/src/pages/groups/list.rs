//! `/groups`: the viewer's groups, and the form that joins one.

use accounts::groups::store as groups;
use app::model::GroupEntry;
use app::pages::groups::list::groups_page;
use auction_house::groups::join::join_group;
use axum::response::Response;
use platform::http::problem::Problem;

use super::facts::entry;
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::{beside, texts};
use crate::pages::form_route::{FormRequest, SessionFormRequest};
use crate::pages::request::PageRequest;

/// `GET /groups`
pub async fn show(request: PageRequest) -> Response {
    let groups = read(&request).await;
    request.render(groups, |(groups, may_create)| groups_page(groups, may_create))
}

async fn read(request: &PageRequest) -> Loaded<(Vec<GroupEntry>, bool)> {
    let user = request.signed_in()?;
    let found = groups::list(&mut request.db().await?, user.id).await?;
    Ok((found.iter().map(entry).collect(), !user.is_managed()))
}

/// `POST /groups/join`
pub async fn join(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, form, .. }, visitor, .. } = request;
    let asker = (&*state.limits, visitor.address);
    let joined = join_group(&state.context, asker, user, texts(&form, &["code"])).await;
    let joined = joined.map_err(|error| beside("code", codes::FORBIDDEN, unknown_code(error.into())))?;
    Ok(format!("/groups/{}?done=joined", joined.id))
}

/// No group is hidden: the code is another one.
fn unknown_code(problem: Problem) -> Problem {
    match problem.code {
        codes::NOT_FOUND => {
            Problem::explained("code", "No group has this code: ask its keeper for the one of today.")
        }
        _ => problem,
    }
}
