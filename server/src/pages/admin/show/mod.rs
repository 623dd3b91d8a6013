//! `/admin`: the Deployment Administration.

pub(super) mod view;

use accounts::administration;
use accounts::administration::AdminError;
use accounts::change_password::{PasswordRefusal, check_password, limited};
use accounts::session::Visitor;
use app::components::subjects::SUBJECT;
use auction_house::ids::UserId;
use axum::body::Body;
use axum::response::Response;
use installation::backups::create::backup_by_admin;
use installation::backups::download::download as send_backup;
use installation::backups::restore::request_restore;
use installation::releases::status::release_status;
use installation::releases::{Source, check};
use installation::settings::body::{ADMIN, ADMIN_SECOND_FACTOR, AUTO_CHECK, CLAIM_CODE};
use installation::settings::change_settings::{SettingsRefusal, change_settings};
use installation::updates;
use installation::updates::{RunTarget, StartError, find_previous};
use platform::fields::Object;
use platform::http::problem::{FieldError, Problem};
use platform::verb::VerbError;
use serde::Serialize;

use self::view::{AdminPage, admin_page};
use super::facts;
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::{Form, beside, renamed};
use crate::pages::form_route::{FormRequest, NextPage, SessionFormRequest};
use crate::pages::request::PageRequest;
use crate::state::AppState;

const PAGE: &str = "/admin";

const TRANSFER_PASSWORD: &str = "transferPassword";
const UPDATE_PASSWORD: &str = "updatePassword";
const ROLLBACK_PASSWORD: &str = "rollbackPassword";
const RESTORE_PASSWORD: &str = "restorePassword";
const DOWNLOAD_PASSWORD: &str = "downloadPassword";

/// `GET /admin`
pub async fn show(request: PageRequest) -> Response {
    let page = read(&request).await;
    request.render(page, admin_page)
}

async fn read(request: &PageRequest) -> Loaded<AdminPage> {
    let user = request.user_id()?;
    Ok(facts::read(&request.state, &mut request.db().await?, user).await?)
}

/// `POST /admin/claim`
pub async fn claim(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, form, .. } = request;
    let account = accounts::user::store::user_by_id(&mut state.context.db.read().await?, user).await?;
    let account = account.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?;
    let mut patch = Object::default();
    patch.set(ADMIN, &account.email);
    patch.set_given(CLAIM_CODE, form.get(CLAIM_CODE).as_ref());
    change(&state, user, patch, "claimed").await.map_err(beside_field)
}

/// `POST /admin/transfer`, confirmed by a box: only the other user can give the role back.
pub async fn transfer(request: SessionFormRequest<()>) -> Result<String, Problem> {
    const CONFIRMED: &str = "transferConfirmed";
    let SessionFormRequest { request, visitor, .. } = request;
    let FormRequest { state, user, form, .. } = request;
    if is_admin(&state, user).await? {
        if form.get("email").is_some() && form.get(CONFIRMED).is_none() {
            return Err(Problem::explained(CONFIRMED, "Confirm that you give up the role."));
        }
        prove(&state, &visitor, user, &form, TRANSFER_PASSWORD).await?;
    }
    let done = set(&state, user, ADMIN, &form.get("email"), "transferred").await;
    done.map_err(|problem| beside("email", codes::SECOND_FACTOR_NEEDED, beside_field(problem)))
}

/// `POST /admin/checks`
pub async fn checks(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, form, .. } = request;
    // Browsers do not send an unchecked box.
    let is_on = form.get(AUTO_CHECK).is_some();
    let done = if is_on { "checks-on" } else { "checks-off" };
    set(&state, user, AUTO_CHECK, &is_on, done).await
}

/// `POST /admin/second-factor`, a button.
pub async fn second_factor(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, form, .. } = request;
    let is_needed = form.get(ADMIN_SECOND_FACTOR) == Some("true");
    let done = if is_needed { "second-factor-on" } else { "second-factor-off" };
    set(&state, user, ADMIN_SECOND_FACTOR, &is_needed, done).await
}

/// `POST /admin/look-up`, a button.
pub async fn look_up(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, .. } = request;
    if !is_admin(&state, user).await? {
        return Ok(PAGE.to_owned());
    }
    // The page shows why a check has failed.
    match check::check_now(&state.installation).await? {
        Ok(()) => Ok(format!("{PAGE}?{SUBJECT}=version&done=looked-up")),
        Err(_) => Ok(format!("{PAGE}?{SUBJECT}=version")),
    }
}

/// `POST /admin/update`. If a run is under way, the page shows it.
pub async fn update(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request, visitor, .. } = request;
    let FormRequest { state, user, form, .. } = request;
    if !is_admin(&state, user).await? {
        return Ok(PAGE.to_owned());
    }
    let source = Source::of(&state.installation.settings);
    // The page has no form then.
    if source == Source::Off {
        return start(&state, user, RunTarget::Latest).await;
    }
    let status = release_status(&mut state.context.db.read().await?, &source).await?;
    if !status.update_available && form.get("confirmed").is_none() {
        return Err(Problem::explained(
            "confirmed",
            "Confirm that the update may install a release that is not known yet.",
        ));
    }
    prove(&state, &visitor, user, &form, UPDATE_PASSWORD).await?;
    start(&state, user, RunTarget::Latest).await
}

/// `POST /admin/rollback`. If a run is under way, the page shows it.
pub async fn roll_back(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request, visitor, .. } = request;
    let FormRequest { state, user, form, .. } = request;
    if !is_admin(&state, user).await? {
        return Ok(PAGE.to_owned());
    }
    // Without a previous release the page has no field for the password, and nothing happens.
    if find_previous(&state.installation.settings.install_dir).await.is_some() {
        prove(&state, &visitor, user, &form, ROLLBACK_PASSWORD).await?;
    }
    start(&state, user, RunTarget::Previous).await
}

async fn start(state: &AppState, user: UserId, target: RunTarget) -> Result<String, Problem> {
    match updates::start(&state.installation, Some(user), target).await {
        Ok(_) | Err(StartError::InProgress) => Ok(format!("{PAGE}?{SUBJECT}=update")),
        Err(error) => Err(error.into()),
    }
}

/// `POST /admin/backup`, a button.
pub async fn back_up(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, .. } = request;
    administration::require(&state.context.db, user).await?;
    backup_by_admin(&state.installation, user).await?;
    Ok(format!("{PAGE}?{SUBJECT}=backups&done=backed-up"))
}

/// `POST /admin/backup/download`. A backup has the secrets of all users, so that it takes a password.
pub async fn download(request: SessionFormRequest<()>) -> Result<NextPage, Problem> {
    let SessionFormRequest { request, visitor, .. } = request;
    let FormRequest { state, user, form, .. } = request;
    administration::require(&state.context.db, user).await?;
    // Without backups the page has no fields, and nothing happens.
    if !facts::backup_files(&state).is_empty() {
        require_choice(&form, "downloaded")?;
        prove(&state, &visitor, user, &form, DOWNLOAD_PASSWORD).await?;
    }
    let name = form.text("downloaded");
    let sent = send_backup(&state.installation, user, name).await?;
    Ok(NextPage::file(&format!("{name}.tar"), Body::from_stream(sent)))
}

/// `POST /admin/restore`. The redirect leads to a page of the next server, whose audit log shows the outcome.
pub async fn restore(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request, visitor, .. } = request;
    let FormRequest { state, user, form, .. } = request;
    administration::require(&state.context.db, user).await?;
    // Without backups the page has no fields, and nothing happens.
    if facts::can_restore(&state) {
        require_choice(&form, "backup")?;
        prove(&state, &visitor, user, &form, RESTORE_PASSWORD).await?;
    }
    request_restore(&state.installation, user, form.text("backup")).await?;
    Ok(PAGE.to_owned())
}

/// Refuses a form in whose list nothing is chosen.
fn require_choice(form: &Form, field: &str) -> Result<(), Problem> {
    let missing = || Problem::fields(vec![FieldError::missing(field)]);
    form.get(field).map(drop).ok_or_else(missing)
}

/// Verifies the password in this field: an open browser alone does nothing that can't be undone.
async fn prove(
    state: &AppState,
    visitor: &Visitor,
    user: UserId,
    form: &Form,
    field: &str,
) -> Result<(), Problem> {
    let typed = form.get(field).ok_or_else(|| Problem::explained(field, "Enter your password."))?;
    let check = check_password(&state.accounts, user, typed.to_owned());
    let checked = limited(&state.accounts, visitor, user, check, PasswordRefusal::is_wrong).await;
    checked.map_err(|error| beside(field, codes::WRONG_PASSWORD, error.into()))?;
    Ok(())
}

/// Whether the user is the Deployment Admin. To other users the page says who is.
async fn is_admin(state: &AppState, user: UserId) -> Result<bool, Problem> {
    match administration::require(&state.context.db, user).await {
        Err(AdminError::NotAdmin) => Ok(false),
        passed => Ok(passed.map(|()| true)?),
    }
}

/// Changes one setting.
async fn set(
    state: &AppState,
    user: UserId,
    member: &str,
    value: &impl Serialize,
    done: &str,
) -> Result<String, Problem> {
    let mut patch = Object::default();
    patch.set(member, value);
    change(state, user, patch, done).await
}

/// Redirects to the page, which also tells users who are not the Deployment Admin.
async fn change(state: &AppState, user: UserId, patch: Object, done: &str) -> Result<String, Problem> {
    match change_settings(&state.installation, user, patch).await {
        Ok(_) => Ok(format!("{PAGE}?{}done={done}", screen(done))),
        Err(VerbError::Refused(
            SettingsRefusal::Taken
            | SettingsRefusal::NotAdmin
            | SettingsRefusal::Reserved
            | SettingsRefusal::Unconfirmed,
        )) => Ok(PAGE.to_owned()),
        Err(error) => Err(error.into()),
    }
}

/// The part of the address that asks for the screen with the setting that was changed.
fn screen(done: &str) -> String {
    match done {
        "checks-on" | "checks-off" => format!("{SUBJECT}=version&"),
        "second-factor-on" | "second-factor-off" => format!("{SUBJECT}=second-factor&"),
        _ => String::new(),
    }
}

/// Shows errors of the e-mail and of the claim code beside their fields.
fn beside_field(problem: Problem) -> Problem {
    let mut problem = renamed(problem, &[(ADMIN, "email")]);
    let field = match problem.code {
        codes::USER_NOT_REGISTERED => "email",
        codes::CLAIM_CODE_REQUIRED => CLAIM_CODE,
        _ => return problem,
    };
    problem.fields = vec![FieldError::explained(field, problem.detail.clone())];
    problem
}
