//! `/account/second-factor`: turning the second factor on and off, and its recovery codes.

use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::second_factor::RecoveryCode;
use accounts::second_factor::begin::begin;
use accounts::second_factor::confirm::confirm;
use accounts::second_factor::renew_codes::renew_codes;
use accounts::second_factor::store as second_factors;
use accounts::second_factor::turn_off;
use accounts::session::Visitor;
use app::model::{SecondFactorPage, SecondFactorSetup};
use app::pages::account::second_factor::{recovery_codes_page, second_factor_page};
use auction_house::ids::UserId;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use platform::fields::Object;
use platform::http::path::At;
use platform::http::problem::Problem;

use super::show::PasswordField;
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::{Form, beside, renamed, texts};
use crate::pages::form_route::{FormRequest, SessionFormRequest, up};
use crate::pages::qr::qr_code;
use crate::pages::redraw::{redraw, show as show_page};
use crate::pages::request::PageRequest;
use crate::state::AppState;

const PAGE: &str = "/account/second-factor";
const PASSWORD: PasswordField = PasswordField { member: "password", name: "password" };
const OFF_PASSWORD: PasswordField = PasswordField { member: "password", name: "offPassword" };
const OFF_CODE: &str = "offCode";

/// `GET /account/second-factor`
pub async fn show(request: PageRequest) -> Response {
    let page = read(&request).await;
    request.render(page, second_factor_page)
}

async fn read(request: &PageRequest) -> Loaded<SecondFactorPage> {
    let user = request.signed_in()?;
    let mut db = request.db().await?;
    let Some(factor) = second_factors::of(&mut db, user.id).await? else { return Ok(SecondFactorPage::Off) };
    if factor.is_on {
        let recovery_codes = second_factors::count_recovery_codes(&mut db, user.id).await?;
        return Ok(SecondFactorPage::On { recovery_codes });
    }
    let uri =
        factor.secret.uri(request.site(), user.email.as_deref().unwrap_or_default()).unwrap_or_default();
    let qr = qr_code(&uri);
    Ok(SecondFactorPage::Begun(SecondFactorSetup { secret: factor.secret.to_base32(), uri, qr }))
}

/// `POST /account/second-factor`
pub async fn set_up(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, form, .. }, visitor, .. } = request;
    let begun = begin(&state.accounts, &visitor, user, texts(&form, &[PASSWORD.name])).await;
    begun.map_err(|error| PASSWORD.place(error.into()))?;
    Ok(PAGE.to_owned())
}

/// `POST /account/second-factor/turn-off`
pub async fn turn_off(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, form, .. }, visitor, .. } = request;
    expect(&state, user, true).await?;
    let mut body = Object::default();
    body.set_given(OFF_PASSWORD.member, form.get(OFF_PASSWORD.name).as_ref());
    body.set_given("code", form.get(OFF_CODE).as_ref());
    turn_off::turn_off(&state.accounts, &visitor, user, body).await.map_err(|error| {
        let problem = renamed(OFF_PASSWORD.place(error.into()), &[("code", OFF_CODE)]);
        beside(OFF_CODE, codes::WRONG_CODE, problem)
    })?;
    Ok(format!("{PAGE}?done=off"))
}

/// `POST /account/second-factor/confirm`
pub async fn post_confirm(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    visitor: Visitor,
    uri: Uri,
    form: Form,
) -> Response {
    let form = Arc::new(form);
    let confirmed = async {
        let by = SessionFormRequest::of(&state, user.as_deref(), visitor, Ok(At(())), &form)?;
        expect(&state, by.request.user, false).await?;
        let body = texts(&form, &["code"]);
        let codes = confirm(&state.accounts, &by.visitor, by.request.user, body).await;
        codes.map_err(|error| beside("code", codes::WRONG_CODE, error.into()))
    };
    let confirmed = confirmed.await;
    answer(&state, &form, up(&uri, 1), confirmed).await
}

/// `POST /account/second-factor/recovery-codes`
pub async fn post_recovery_codes(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    visitor: Visitor,
    uri: Uri,
    form: Form,
) -> Response {
    let form = Arc::new(form);
    let renewed = async {
        let by = SessionFormRequest::of(&state, user.as_deref(), visitor, Ok(At(())), &form)?;
        expect(&state, by.request.user, true).await?;
        let body = texts(&form, &[PASSWORD.name, "code"]);
        let codes = renew_codes(&state.accounts, &by.visitor, by.request.user, body).await;
        codes.map_err(|error| beside("code", codes::WRONG_CODE, PASSWORD.place(error.into())))
    };
    let renewed = renewed.await;
    answer(&state, &form, up(&uri, 1), renewed).await
}

/// Fails unless the second factor is as on the page that has the form: another tab may have changed it.
async fn expect(state: &AppState, user: UserId, is_on: bool) -> Result<(), Problem> {
    let factor = second_factors::of(&mut state.context.db.read().await?, user).await?;
    match factor.map(|factor| factor.is_on) {
        Some(found) if found == is_on => Ok(()),
        Some(true) => Err(Problem::plain(codes::SECOND_FACTOR_ON)),
        _ => Err(Problem::plain(codes::SECOND_FACTOR_OFF)),
    }
}

/// The page with the new codes. No redirect: they are stored nowhere.
async fn answer(
    state: &AppState,
    form: &Form,
    page: Uri,
    done: Result<Vec<RecoveryCode>, Problem>,
) -> Response {
    match done {
        Ok(codes) => {
            let codes: Vec<_> = codes.into_iter().map(RecoveryCode::into_string).collect();
            let show_codes =
                async move |request: PageRequest| request.render(Ok(codes.clone()), recovery_codes_page);
            show_page(state, form, show_codes, page, None).await
        }
        Err(problem) => redraw(state, form, show, page, problem).await,
    }
}
