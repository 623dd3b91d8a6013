//! The user of a request, as handlers ask for it: by the session whose token its cookie carries.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use platform::http::HttpSettings;
use platform::http::cookie;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::net::{Client, ClientAddress};
use platform::token::TokenHash;
use serde::de::DeserializeOwned;

use crate::codes;
use crate::context::Accounts;
use crate::device::DeviceCookie;
use crate::ids::UserId;
use crate::managed;
use crate::session::{SignedIn, Visitor};
use crate::user_agent::UserAgent;

/// Names the user who entered what a request does, which may be sent long after: another user may have signed
/// in to the browser since.
pub const FARTHING_FOR: HeaderName = HeaderName::from_static("farthing-for");

/// The signed-in user; 401 for a request without a session. A request that changes something counts as a
/// write of the user, and is refused after too many.
#[derive(Debug, Clone)]
pub struct CurrentUser(pub Arc<SignedIn>);

/// The signed-in user of a request about bids, which have a limit of their own; 401 for a request without a
/// session.
#[derive(Debug, Clone)]
pub struct Bidder(pub Arc<SignedIn>);

/// The user, if signed in. INVARIANT: every handler gets its user here, so that no request of a managed user
/// escapes the table of what they may do.
#[derive(Debug, Clone)]
pub struct MaybeUser(pub Option<Arc<SignedIn>>);

impl<S> FromRequestParts<S> for MaybeUser
where
    S: Send + Sync,
    Arc<Accounts>: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let accounts = Arc::<Accounts>::from_ref(state);
        match cookie::token(&parts.headers, &accounts.http) {
            Some(token) => {
                let user = accounts.find_session(TokenHash::of(token)).await?;
                if let Some(user) = &user {
                    check_sender(user, &parts.headers)?;
                    check_managed(user, parts)?;
                }
                Ok(Self(user))
            }
            None => Ok(Self(None)),
        }
    }
}

/// The client of a request, for what clients share fairly.
#[derive(Debug, Clone, Copy)]
pub struct CurrentClient(pub Client);

impl<S> FromRequestParts<S> for CurrentClient
where
    S: Send + Sync,
    Arc<Accounts>: FromRef<S>,
    Arc<HttpSettings>: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        // An error of the database meets the handler again, which reports it.
        if let Ok(MaybeUser(Some(user))) = MaybeUser::from_request_parts(parts, state).await {
            return Ok(Self(user.id.into()));
        }
        let address = ClientAddress::from_request_parts(parts, state).await?;
        Ok(Self(address.into()))
    }
}

/// The viewer of what may be readable without an account, and the ids in its path. Without an account a path
/// that names nothing is 401, as is what the viewer may not read: the two look the same.
#[derive(Debug, Clone, Copy)]
pub struct Reader<P> {
    /// [`UserId::NOBODY`] without an account.
    pub viewer: UserId,
    pub client: Client,
    pub path: P,
}

impl<S, P> FromRequestParts<S> for Reader<P>
where
    S: Send + Sync,
    Arc<Accounts>: FromRef<S>,
    Arc<HttpSettings>: FromRef<S>,
    P: DeserializeOwned + Send,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let MaybeUser(user) = MaybeUser::from_request_parts(parts, state).await?;
        let path = At::<P>::from_request_parts(parts, state).await;
        let Some(user) = user else {
            let At(path) = path.map_err(|_| Problem::plain(codes::UNAUTHENTICATED))?;
            let Ok(address) = ClientAddress::from_request_parts(parts, state).await;
            return Ok(Self { viewer: UserId::NOBODY, client: address.into(), path });
        };
        let At(path) = path?;
        Ok(Self { viewer: user.id, client: user.id.into(), path })
    }
}

impl<S> FromRequestParts<S> for CurrentUser
where
    S: Send + Sync,
    Arc<Accounts>: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let user = signed_in(parts, state).await?;
        if !parts.method.is_safe() {
            Arc::<Accounts>::from_ref(state).limits.write(user.id)?;
        }
        Ok(Self(user))
    }
}

impl<S> FromRequestParts<S> for Bidder
where
    S: Send + Sync,
    Arc<Accounts>: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let user = signed_in(parts, state).await?;
        Arc::<Accounts>::from_ref(state).limits.bid(user.id)?;
        Ok(Self(user))
    }
}

/// Refuses a request that names another user than that of the session.
fn check_sender(user: &SignedIn, headers: &HeaderMap) -> Result<(), Problem> {
    let mut named = headers.get_all(FARTHING_FOR).iter();
    let Some(value) = named.next() else { return Ok(()) };
    let id = value.to_str().ok().and_then(|text| text.parse::<UserId>().ok());
    match id.filter(|_| named.next().is_none()) {
        Some(id) if id == user.id => Ok(()),
        Some(_) => Err(Problem::plain(codes::OTHER_USER)),
        None => Err(Problem::field("Farthing-For", "must be the id of a user, once")),
    }
}

/// Refuses a request that the user may not make, because the user is a managed one.
fn check_managed(user: &SignedIn, parts: &Parts) -> Result<(), Problem> {
    if user.is_managed() && !managed::may(parts.method.as_str(), parts.uri.path()) {
        return Err(Problem::plain(codes::MANAGED_USER));
    }
    Ok(())
}

async fn signed_in<S>(parts: &mut Parts, state: &S) -> Result<Arc<SignedIn>, Problem>
where
    S: Send + Sync,
    Arc<Accounts>: FromRef<S>,
{
    let MaybeUser(user) = MaybeUser::from_request_parts(parts, state).await?;
    user.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))
}

impl<S> FromRequestParts<S> for Visitor
where
    S: Send + Sync,
    Arc<HttpSettings>: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let address = ClientAddress::from_request_parts(parts, state).await?;
        let settings = Arc::<HttpSettings>::from_ref(state);
        let session = cookie::token(&parts.headers, &settings).map(TokenHash::of);
        let device = cookie::device(&parts.headers, &settings).and_then(DeviceCookie::parse);
        let user_agent = parts.headers.get(header::USER_AGENT);
        let user_agent = user_agent.and_then(|sent| UserAgent::of(sent.as_bytes()));
        Ok(Self { address, session, user_agent, device })
    }
}
