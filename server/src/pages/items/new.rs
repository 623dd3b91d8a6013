//! `/auctions/{auction_id}/items/new`: creates an item, with pictures beside its fields.

use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::components::description_field::PREVIEW;
use app::components::page_title::PageTitle;
use app::components::picture_field::CHOOSE_AGAIN;
use app::components::saved_form::SavedForm;
use app::html::{Html, html};
use app::model::{FieldProblem, NextStep, Refused};
use app::request::query_part;
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::ids::{AuctionId, UserId};
use auction_house::images::workshop::{ReceivedImages, UPLOAD_FIELD};
use auction_house::items::access::view_item;
use auction_house::items::create::create_item;
use auction_house::items::images::of_new_item::{RefusedImage, add_to_new_item, receive_new_item};
use auction_house::path::{AuctionPath, ItemPath};
use axum::extract::{FromRequest, Request, State};
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;
use platform::http::body::media_type;
use platform::http::path::At;
use platform::http::problem::{FieldError, Problem};
use platform::http::upload::Upload;
use platform::single_line::SingleLine;

use super::fields::{FIELDS, ItemFields, ItemFormPage, fill};
use super::form::{FormItem, ItemForm, form_page};
use super::pictures::{self, beside_picture};
use super::{format_fields, price_fields};
use crate::codes;
use crate::pages::amounts::Amounts;
use crate::pages::error::Loaded;
use crate::pages::form::{Form, see_other};
use crate::pages::redraw::{self, RefusedForm, preview, redraw};
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;

/// `GET /auctions/{auction_id}/items/new`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, new_item_page)
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<ItemFormPage> {
    let (AuctionPath { auction_id }, user) = (path?, request.user_id()?);
    let mut db = request.db().await?;
    let seen = authorize(&mut db, auction_id, user, request.now).await?.require(Action::AddItems)?;
    let last = match request.query(CREATED).and_then(|id| id.parse().ok()) {
        Some(id) => view_item(&mut db, &seen, id).await.ok(),
        None => None,
    };
    let item = last.map_or(FormItem::New, |last| FormItem::NewAfter(Box::new(last)));
    Ok(form_page(&mut db, seen, item, request.now).await?)
}

/// A submitted form, with or without files.
pub enum NewItem {
    Fields(Form),
    Upload(Upload, Box<Parts>),
}

impl<S: Send + Sync> FromRequest<S> for NewItem {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        if media_type(request.headers()).eq_ignore_ascii_case("multipart/form-data") {
            let (parts, body) = request.into_parts();
            let request = Request::from_parts(parts.clone(), body);
            Ok(Self::Upload(Upload::from_request(request, state).await?, Box::new(parts)))
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
    Pictures(ItemPath, Box<RefusedForm>),
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
        Ok(Next::Preview) => preview(&state, &form, show, uri).await,
        Ok(Next::Pictures(item, refused)) => {
            let page = async move |request: PageRequest| pictures::show(PageAt(Ok(item)), request).await;
            let address = format!("/auctions/{}/items/{}/pictures", item.auction_id, item.item_id);
            let address = address.parse().unwrap_or_default();
            redraw::show(&state, &form, page, address, Some(*refused)).await
        }
        Err(problem) => redraw(&state, &form, show, uri, with_lost_files(problem, &form)).await,
    }
}

fn allowed(
    state: &AppState,
    user: Option<&SignedIn>,
    path: Result<At<AuctionPath>, Problem>,
) -> Result<(UserId, AuctionId), Problem> {
    let user = user.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?.id;
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
    let (upload, parts) = match body {
        NewItem::Fields(form) => {
            let checked = form.check();
            return (form, checked.map(|()| None));
        }
        NewItem::Upload(upload, parts) => (upload, *parts),
    };
    let received = async {
        let (user, auction_id) = allowed.clone()?;
        let images = receive_new_item(&state.context, &state.images, auction_id, user, upload).await;
        images.map_err(|error| beside_picture(error.into()))
    };
    match received.await {
        Ok(mut images) => {
            let form = Form::with_files(&images.received, UPLOAD_FIELD, parts);
            let refusal = images.received.refusal.take();
            (form, refusal.map_or(Ok(Some(images)), |problem| Err(beside_picture(problem))))
        }
        Err(problem) => (Form::without_fields(parts), Err(problem)),
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
    let now = state.context.clock.now();
    let amounts = Amounts::of_auction(&mut state.context.db.read().await?, auction_id, user, now).await?;
    let body = ItemForm { form: Arc::clone(form), amounts };
    let made = create_item(&state.context, auction_id, user, body).await?;
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
            [] if is_followed => return Ok(Next::Page(format!("{new}?{CREATED}={id}"))),
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
        fields: reasons
            .into_iter()
            .map(|reason| (UPLOAD_FIELD.to_owned(), FieldProblem::Sentence(reason)))
            .collect(),
        ..Refused::default()
    };
    let item = ItemPath { auction_id, item_id: id };
    Ok(Next::Pictures(item, Box::new(RefusedForm { status, needs_sign_in: false, shown })))
}

/// Which files are refused, and why.
fn reasons(refused: &[RefusedImage]) -> Vec<String> {
    let reason = |RefusedImage { number, name, problem }: &RefusedImage| {
        let name = match name.parse::<SingleLine>() {
            Ok(name) if !name.as_str().is_empty() => name.into_string(),
            _ => format!("Picture {number}"),
        };
        let why = problem.fields.first().map_or(&problem.detail, |field| &field.message);
        format!("{name}: {why}")
    };
    refused.iter().map(reason).collect()
}

/// The problem of a form with files, which a browser does not fill in again.
fn with_lost_files(mut problem: Problem, form: &Form) -> Problem {
    if form.get(UPLOAD_FIELD).is_some()
        && !problem.fields.is_empty()
        && problem.fields.iter().all(|field| field.path != UPLOAD_FIELD)
    {
        problem.fields.push(FieldError::explained(UPLOAD_FIELD, CHOOSE_AGAIN));
    }
    problem
}

/// Parameter of the address with the id of the item that was created just before. The form begins with what
/// the two have in common.
pub const CREATED: &str = "created";

fn new_item_page(page: ItemFormPage) -> Html {
    fill(&page);
    let back = format!("/auctions/{}", page.auction_id);
    let last = query_part(CREATED);
    // After the first of several items the button for another one comes first.
    let another_first = last.is_some();
    let created = last.map(|id| {
        view! {
            <p class="notice" role="status">
                "The item was created. The next one begins with its price, times and seller. "
                <a href=format!("{back}/items/{id}")>"Show it"</a>
            </p>
        }
    });
    html(view! {
        <PageTitle text="New item" />
        <section class="form-page wide">
            <p class="eyebrow">
                <a href=back.clone()>{page.auction_name.clone()}</a>
            </p>
            <h1>"New item"</h1>
            <p class="lead">
                <a href=format!("{back}/items/add")>"Add many lots at once"</a>
            </p>
            {created}
            {if page.needs_currency {
                Either::Left(view! { <NeedsCurrency page back /> })
            } else {
                Either::Right(view! {
                    <SavedForm
                        fields=&[FIELDS, price_fields::FIELDS, format_fields::FIELDS]
                        save="Create item"
                        save_another="Create and add another"
                        another_first
                        files=true
                        back
                    >
                        <ItemFields page save="Create item" />
                    </SavedForm>
                })
            }}
        </section>
    })
}

/// People have an amount of the auction's own money: an item in another one would take no bid.
#[component]
fn NeedsCurrency(page: ItemFormPage, back: String) -> impl IntoView {
    let money = page.base_unit.noun().several().to_owned();
    view! {
        <p class="lead">
            {format!("People bid with {money} here. Say first how they are bid: one by one, or in pieces.")}
        </p>
        <p>
            <a class="button primary" href=format!("{back}/currencies")>"Choose how people bid"</a>
        </p>
    }
}
