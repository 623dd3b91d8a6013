//! The forms of the Deployment Administration.

use serde::Serialize;

use super::form::renamed;
use super::posted::Posted;
use crate::state::AppState;
use auction_house::accounts;
use auction_house::ids::UserId;
use installation::backups::create::backup_by_admin;
use installation::backups::restore::request_restore;
use installation::settings::admin::{self, AdminError};
use installation::settings::body::{ADMIN, AUTO_CHECK};
use installation::settings::change_settings::{SettingsRefusal, change_settings};
use installation::updates::{self, StartError, Target};
use platform::fields::Object;
use platform::http::problem::{Code, Details, FieldError, Problem};
use platform::verb::VerbError;

const PAGE: &str = "/admin";

/// `POST /admin/claim`, a button.
pub async fn claim(posted: Posted<()>) -> Result<String, Problem> {
    let Posted { state, user, .. } = posted;
    let account = accounts::store::user_by_id(&mut state.context.db.read().await?, user).await?;
    let account = account.ok_or_else(|| Problem::plain(Code::Unauthenticated))?;
    set(&state, user, ADMIN, &account.email, "claimed").await
}

/// `POST /admin/transfer`
pub async fn transfer(posted: Posted<()>) -> Result<String, Problem> {
    let Posted { state, user, form, .. } = posted;
    let done = set(&state, user, ADMIN, &form.get("email"), "transferred").await;
    done.map_err(beside_field)
}

/// `POST /admin/checks`
pub async fn checks(posted: Posted<()>) -> Result<String, Problem> {
    let Posted { state, user, form, .. } = posted;
    // Browsers do not send an unchecked box.
    let is_on = form.get(AUTO_CHECK).is_some();
    let done = if is_on { "checks-on" } else { "checks-off" };
    set(&state, user, AUTO_CHECK, &is_on, done).await
}

/// `POST /admin/update`, a button. If a run is under way, the page shows it.
pub async fn update(posted: Posted<()>) -> Result<String, Problem> {
    start(posted, Target::Latest).await
}

/// `POST /admin/rollback`, a button. If a run is under way, the page shows it.
pub async fn roll_back(posted: Posted<()>) -> Result<String, Problem> {
    start(posted, Target::Previous).await
}

async fn start(posted: Posted<()>, target: Target) -> Result<String, Problem> {
    let Posted { state, user, .. } = posted;
    match admin::require(&state.installation, user).await {
        Err(AdminError::NotAdmin) => return Ok(PAGE.to_owned()),
        passed => passed?,
    }
    match updates::start(&state.installation, user, target).await {
        Ok(_) | Err(StartError::InProgress) => Ok(PAGE.to_owned()),
        Err(error) => Err(error.into()),
    }
}

/// `POST /admin/backup`, a button.
pub async fn back_up(posted: Posted<()>) -> Result<String, Problem> {
    let Posted { state, user, .. } = posted;
    admin::require(&state.installation, user).await?;
    backup_by_admin(&state.installation, user).await?;
    Ok(format!("{PAGE}?done=backed-up"))
}

/// `POST /admin/restore`. The redirect leads to a page of the next server, whose audit log shows the outcome.
pub async fn restore(posted: Posted<()>) -> Result<String, Problem> {
    let Posted { state, user, form, .. } = posted;
    admin::require(&state.installation, user).await?;
    request_restore(&state.installation, user, form.text("backup")).await?;
    Ok(PAGE.to_owned())
}

/// Changes one setting and redirects to the page, which also tells users who are not the Deployment Admin.
async fn set(
    state: &AppState,
    user: UserId,
    member: &str,
    value: &impl Serialize,
    done: &str,
) -> Result<String, Problem> {
    let mut patch = Object::default();
    patch.set(member, value);
    match change_settings(&state.installation, user, patch).await {
        Ok(_) => Ok(format!("{PAGE}?done={done}")),
        Err(VerbError::Refused(SettingsRefusal::Taken | SettingsRefusal::NotAdmin)) => Ok(PAGE.to_owned()),
        Err(error) => Err(error.into()),
    }
}

/// Shows errors of the e-mail beside its field.
fn beside_field(problem: Problem) -> Problem {
    let mut problem = renamed(problem, &[(ADMIN, "email")]);
    if problem.code == Code::UserNotRegistered {
        let fields = vec![FieldError::new("email", problem.detail.clone())];
        problem.details = Some(Details::Fields(fields));
    }
    problem
}
