//! Sign-ins, passwords and the profile in `/api/auth/…` and `/api/user…`, and the answer to a sign-in.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::change_password::{self, PasswordBody};
use crate::codes;
use crate::context::Accounts;
use crate::extract::CurrentUser;
use crate::forgot_password::forgot_password;
use crate::hashing::HashError;
use crate::profile::{ProfileBody, change_profile};
use crate::reset_password;
use crate::send_email_link::send_email_link;
use crate::session::Visitor;
use crate::sign_in::{Entry, SignIn, sign_in};
use crate::sign_in_by_number::{Door, Key, sign_in_by_number};
use crate::sign_out::sign_out;
use crate::user::User;
use platform::fields::Fields;
use platform::http::HttpSettings;
use platform::http::body::JsonBody;
use platform::http::cookie;
use platform::http::json::Json;
use platform::http::problem::Problem;
use platform::shape::MergePatch;
use platform::shape::New;
use platform::verb::Refusal;

type UserPatch = MergePatch<ProfileBody>;
type PasswordChange = New<PasswordBody>;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginBody {
    email: String,
    #[schema(format = Password)]
    password: String,
    /// Code of the second factor, if the account has one: six digits that the app shows, or a recovery code.
    code: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NumberBody {
    /// Code of the group. Case and blanks do not matter.
    code: String,
    /// In the group.
    number: i64,
    /// Instead of `cardSecret`.
    #[schema(format = Password)]
    pin: Option<String>,
    /// Secret in the QR code of a card: 16 characters of Crockford's base 32, in any case.
    #[serde(rename = "cardSecret")]
    #[schema(format = Password)]
    card_secret: Option<String>,
}

impl NumberBody {
    /// The PIN or the secret, of which there is one.
    fn key(pin: Option<String>, card_secret: Option<String>) -> Result<Key, Problem> {
        match (pin, card_secret) {
            (Some(pin), None) => Ok(Key::Pin(pin)),
            (None, Some(secret)) => Ok(Key::Card(secret.parse().ok())),
            (None, None) => Err(Problem::field("pin", "must be given, or else cardSecret")),
            (Some(_), Some(_)) => Err(Problem::field("cardSecret", "must not be given with pin")),
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgotBody {
    /// E-mail of the account.
    #[schema(format = Email)]
    email: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetBody {
    /// The last part of the link's address.
    token: String,
    /// Neither a common password nor the user's e-mail or name.
    #[schema(min_length = 8, max_length = 256, format = Password)]
    password: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub struct UserView {
    #[schema(format = "uuid")]
    id: String,
    /// Null for a managed user.
    email: Option<String>,
    /// When the user confirmed the e-mail by the link of a mail. Null: it gives no rights.
    #[schema(format = DateTime)]
    email_verified_at: Option<String>,
    /// When a mail to this e-mail could not be sent. Absent once one is sent, or the e-mail is another.
    #[schema(format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    email_failed_at: Option<String>,
    name: String,
    locale: Option<String>,
    /// The user has no e-mail, and signs in with the number in a group.
    managed: bool,
    /// Signing in takes a code besides the password.
    second_factor: bool,
    #[schema(format = DateTime)]
    created_at: String,
}

#[derive(Serialize, ToSchema)]
pub struct UserAnswer {
    user: UserView,
}

impl From<User> for UserAnswer {
    fn from(user: User) -> Self {
        let managed = user.is_managed();
        let User { id, email, email_verified_at, email_failed_at, .. } = user;
        let User { name, locale, has_second_factor, created_at, .. } = user;
        Self {
            user: UserView {
                id: id.to_string(),
                email,
                email_verified_at: email_verified_at.map(|at| at.to_string()),
                email_failed_at: email_failed_at.map(|at| at.to_string()),
                name,
                locale,
                managed,
                second_factor: has_second_factor,
                created_at: created_at.to_string(),
            },
        }
    }
}

/// Signs in.
///
/// 401 `INVALID_CREDENTIALS`; 401 `SECOND_FACTOR_REQUIRED` if the password is right and the account has a
/// second factor, whose code is missing; 401 `INVALID_CODE`; 429 after too many wrong passwords for this
/// account from the same address, or wrong codes from anywhere. A browser in which the user has signed in
/// before is known by a cookie, and has a limit of its own.
#[utoipa::path(post, path = "/api/auth/login", tag = "accounts", request_body = LoginBody,
    responses((status = 200, body = UserAnswer)))]
pub async fn login(
    State(accounts): State<Arc<Accounts>>,
    visitor: Visitor,
    body: JsonBody,
) -> Result<Response, Problem> {
    let LoginBody { email, password, code } = body.read()?;
    match sign_in(&accounts, &visitor, &email, password, code.as_deref()).await? {
        SignIn::Entered(entry) => Ok(signed_in(StatusCode::OK, entry, &accounts.http)),
        SignIn::CodeNeeded(_) => Err(Problem::plain(codes::SECOND_FACTOR_REQUIRED)),
    }
}

/// Signs a managed user in with the code of the group, the number in it, and the PIN or the secret of the
/// card.
///
/// 401 `INVALID_CREDENTIALS`; 429 after 10 failures for this number within 15 minutes, which refuse no right
/// secret of a card. A browser in which the user has signed in before is known by a cookie, and has a limit
/// of its own.
#[utoipa::path(post, path = "/api/auth/number", tag = "accounts", request_body = NumberBody,
    responses((status = 200, body = UserAnswer)))]
pub async fn post_number(
    State(accounts): State<Arc<Accounts>>,
    visitor: Visitor,
    body: JsonBody,
) -> Result<Response, Problem> {
    let NumberBody { code, number, pin, card_secret } = body.read()?;
    let (door, key) = (Door::of(&code, &number.to_string()), NumberBody::key(pin, card_secret)?);
    let entry = sign_in_by_number(&accounts, &visitor, &door, key).await?;
    Ok(signed_in(StatusCode::OK, entry, &accounts.http))
}

/// Signs out. Without a session the answer is the same.
#[utoipa::path(post, path = "/api/auth/logout", tag = "accounts", responses((status = 204)))]
pub async fn logout(State(accounts): State<Arc<Accounts>>, visitor: Visitor) -> Result<Response, Problem> {
    if let Some(session) = &visitor.session {
        sign_out(&accounts, session).await?;
    }
    Ok((StatusCode::NO_CONTENT, cookie::end(&accounts.http)).into_response())
}

/// The signed-in user.
#[utoipa::path(get, path = "/api/user", tag = "accounts", responses((status = 200, body = UserAnswer)))]
pub async fn get_user(CurrentUser(user): CurrentUser) -> Json<UserAnswer> {
    Json(Arc::unwrap_or_clone(user).user.into())
}

/// Mails a link with which the user sets a new password, if there is such an account and this installation
/// sends mail.
///
/// The answer does not say whether there is one. 429 after too many requests from one address or for one
/// e-mail.
#[utoipa::path(post, path = "/api/auth/forgot-password", tag = "accounts", request_body = ForgotBody,
    responses((status = 204)))]
pub async fn post_forgot_password(
    State(accounts): State<Arc<Accounts>>,
    visitor: Visitor,
    body: JsonBody,
) -> Result<StatusCode, Problem> {
    let ForgotBody { email } = body.read()?;
    let mut fields = Fields::default();
    let Some(email) = fields.parse("email", &email) else { return Err(fields.into()) };
    forgot_password(&accounts, &visitor, &email).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sets a new password with the token of a link. Every session of the user ends.
///
/// 422 `TOKEN_INVALID` if the link was used or has expired; 429 after too many wrong guesses.
#[utoipa::path(post, path = "/api/auth/reset-password", tag = "accounts", request_body = ResetBody,
    responses((status = 204)))]
pub async fn reset_password(
    State(accounts): State<Arc<Accounts>>,
    visitor: Visitor,
    body: JsonBody,
) -> Result<StatusCode, Problem> {
    let ResetBody { token, password } = body.read()?;
    let mut fields = Fields::default();
    let Some(new) = fields.parse("password", &password) else {
        return Err(fields.into());
    };
    reset_password::reset_password(&accounts, &visitor, &token, new).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Changes the name, the e-mail or the locale by a JSON merge patch. A new e-mail ends every other session.
///
/// 403 `WRONG_PASSWORD`; 409 `EMAIL_TAKEN`; 429 after too many wrong guesses.
#[utoipa::path(patch, path = "/api/user", tag = "accounts",
    request_body(content = UserPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = UserAnswer)))]
pub async fn patch_user(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
    body: JsonBody,
) -> Result<Json<UserAnswer>, Problem> {
    Ok(Json(change_profile(&accounts, &visitor, user.id, body).await?.into()))
}

/// Changes the password. Every other session ends.
///
/// 403 `WRONG_PASSWORD`; 429 after too many wrong guesses.
#[utoipa::path(post, path = "/api/user/password", tag = "accounts", request_body = PasswordChange,
    responses((status = 204)))]
pub async fn change_password(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
    body: JsonBody,
) -> Result<StatusCode, Problem> {
    change_password::change_password(&accounts, &visitor, user.id, body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Mails a link with which the user confirms the e-mail, in place of an earlier one.
///
/// Without mail, and if the e-mail is confirmed, nothing is sent. 429 after too many requests.
#[utoipa::path(post, path = "/api/user/email-link", tag = "accounts", responses((status = 204)))]
pub async fn post_email_link(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
) -> Result<StatusCode, Problem> {
    send_email_link(&accounts, &visitor, &user.user).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The answer to a user who has just signed in.
pub fn signed_in(status: StatusCode, entry: Entry, settings: &HttpSettings) -> Response {
    let Entry { user, session, device, .. } = entry;
    let cookies = cookie::begin(session.as_str(), &device.to_string(), settings);
    (status, cookies, Json(UserAnswer::from(user))).into_response()
}

impl Refusal for HashError {
    fn problem(self) -> Problem {
        match self {
            Self::Busy => Problem::plain(codes::OVERLOADED).retry_after(2),
            Self::Failed(_) | Self::Entropy(_) => Problem::internal(&self),
        }
    }
}
