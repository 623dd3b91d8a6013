//! The form of a new item, which has pictures beside its fields.

use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::components::description_field::PREVIEW;
use app::components::picture_field::CHOOSE_AGAIN;
use app::model::{NextStep, Refused};
use auction_house::ids::{AuctionId, UserId};
use auction_house::images::workshop::{ReceivedImages, UPLOAD_FIELD};
use auction_house::items::create::create_item;
use auction_house::items::images::of_new_item::{RefusedImage, add_to_new_item, receive_new_item};
use auction_house::path::AuctionPath;
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use platform::http::body::media_type;
use platform::http::path::At;
use platform::http::problem::{Code, Details, FieldError, Problem};
use platform::http::upload::Upload;
use platform::single_line::SingleLine;

use super::form::{Form, preview, redraw, redraw_refused, see_other};
use super::item_form::ItemForm;
use super::pictures::beside_picture;
use crate::state::AppState;

/// A submitted form, with or without files.
pub enum NewItem {
    Fields(Form),
    Upload(Upload, HeaderMap),
}

impl<S: Send + Sync> FromRequest<S> for NewItem {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        let headers = request.headers();
        if media_type(headers).eq_ignore_ascii_case("multipart/form-data") {
            let headers = headers.clone();
            Ok(Self::Upload(Upload::from_request(request, state).await?, headers))
        } else {
            Ok(Self::Fields(Form::from_request(request, state).await?))
        }
    }
}

/// What follows a form that is not refused.
enum Next {
    Preview,
    Page(String),
    /// The page with the item's pictures, because some files are not among them.
    Pictures(Uri, Box<(StatusCode, Refused)>),
}

/// `POST /auctions/{auction_id}/items/new`
pub async fn create(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<AuctionPath>, Problem>,
    uri: Uri,
    body: NewItem,
) -> Response {
    let allowed = allowed(&state, user.as_deref(), path);
    let (form, images) = receive(&state, &allowed, body).await;
    let form = Arc::new(form);
    match try_create(&state, allowed, &form, images).await {
        Ok(Next::Page(path)) => see_other(&path),
        Ok(Next::Preview) => preview(state, user, uri, &form).await,
        Ok(Next::Pictures(page, refused)) => redraw_refused(state, user, page, &form, *refused).await,
        Err(problem) => redraw(state, user, uri, &form, with_lost_files(problem, &form)).await,
    }
}

fn allowed(
    state: &AppState,
    user: Option<&SignedIn>,
    path: Result<At<AuctionPath>, Problem>,
) -> Result<(UserId, AuctionId), Problem> {
    let user = user.ok_or_else(|| Problem::plain(Code::Unauthenticated))?.id;
    state.limits.write(user)?;
    let At(AuctionPath { auction_id }) = path?;
    Ok((user, auction_id))
}

/// Receives the files, if the user may create items. The form has as many of its fields as have arrived.
async fn receive(
    state: &AppState,
    allowed: &Result<(UserId, AuctionId), Problem>,
    body: NewItem,
) -> (Form, Result<Option<ReceivedImages>, Problem>) {
    let (upload, headers) = match body {
        NewItem::Fields(form) => {
            let checked = form.check();
            return (form, checked.map(|()| None));
        }
        NewItem::Upload(upload, headers) => (upload, headers),
    };
    let received = async {
        let (user, auction_id) = allowed.clone()?;
        let images = receive_new_item(&state.context, &state.images, auction_id, user, upload).await;
        images.map_err(|error| beside_picture(error.into()))
    };
    match received.await {
        Ok(mut images) => {
            let form = Form::with_files(&images.received, UPLOAD_FIELD, headers);
            let refusal = images.received.refusal.take();
            (form, refusal.map_or(Ok(Some(images)), |problem| Err(beside_picture(problem))))
        }
        Err(problem) => (Form::without_fields(headers), Err(problem)),
    }
}

async fn try_create(
    state: &AppState,
    allowed: Result<(UserId, AuctionId), Problem>,
    form: &Arc<Form>,
    images: Result<Option<ReceivedImages>, Problem>,
) -> Result<Next, Problem> {
    let (user, auction_id) = allowed?;
    let images = images?;
    if form.get(PREVIEW).is_some() {
        return Ok(Next::Preview);
    }
    let made = create_item(&state.context, auction_id, user, ItemForm(Arc::clone(form))).await?;
    let item = (auction_id, made.resource.item.id);
    let refused = match images {
        Some(images) => add_to_new_item(&state.context, &state.images, item, user, images).await,
        None => Ok(Vec::new()),
    };
    let id = item.1;
    let new = format!("/auctions/{auction_id}/items/new");
    let is_followed = form.get("another").is_some();
    let (status, message, reasons) = match refused.map_err(Problem::from) {
        Ok(refused) => match refused.as_slice() {
            [] if is_followed => return Ok(Next::Page(format!("{new}?created={id}"))),
            [] => return Ok(Next::Page(format!("/auctions/{auction_id}/items/{id}"))),
            [only] => (only.problem.code.status(), "a picture was not added.", reasons(&refused)),
            [first, ..] => (first.problem.code.status(), "some pictures were not added.", reasons(&refused)),
        },
        Err(problem) => (problem.code.status(), "its pictures were not added.", vec![problem.detail]),
    };
    let shown = Refused {
        is_button: true,
        message: format!("The item was created, but {message}"),
        next_step: is_followed.then_some(NextStep { label: "Add another item", path: new }),
        fields: reasons.into_iter().map(|reason| (UPLOAD_FIELD.to_owned(), reason)).collect(),
        ..Refused::default()
    };
    let page = format!("/auctions/{auction_id}/items/{id}/pictures");
    Ok(Next::Pictures(page.parse().unwrap_or_default(), Box::new((status, shown))))
}

/// Which files are refused, and why.
fn reasons(refused: &[RefusedImage]) -> Vec<String> {
    let reason = |RefusedImage { number, name, problem }: &RefusedImage| {
        let name = match name.parse::<SingleLine>() {
            Ok(name) if !name.as_str().is_empty() => name.into_string(),
            _ => format!("Picture {number}"),
        };
        let why = match &problem.details {
            Some(Details::Fields(fields)) => fields.first().map(|field| field.message.clone()),
            _ => None,
        };
        format!("{name}: {}", why.unwrap_or_else(|| problem.detail.clone()))
    };
    refused.iter().map(reason).collect()
}

/// The problem of a form with files, which a browser does not fill in again.
fn with_lost_files(mut problem: Problem, form: &Form) -> Problem {
    if form.get(UPLOAD_FIELD).is_some()
        && let Some(Details::Fields(fields)) = &mut problem.details
        && fields.iter().all(|field| field.path != UPLOAD_FIELD)
    {
        fields.push(FieldError::explained(UPLOAD_FIELD, CHOOSE_AGAIN));
    }
    problem
}
