//! `/groups/{group_id}/cards`, and the forms that answer with cards: adding people, and new PINs.

use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::groups::PersonNumber;
use accounts::groups::store as groups;
use accounts::session::Visitor;
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::components::qr_code::QrCode;
use app::html::{Html, html};
use app::model::QrCode;
use auction_house::groups::access::authorize_keeper;
use auction_house::groups::people::add::{WithKeys, add_people};
use auction_house::groups::people::renew_pins::renew_pins;
use auction_house::groups::people::undo_upgrade::undo_upgrade as undo;
use auction_house::ids::{GroupId, UserId};
use auction_house::path::{GroupPath, PersonPath};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::{MethodRouter, post};
use leptos::prelude::*;
use platform::body::Body;
use platform::fields::{FieldError, Object};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;
use serde::de::DeserializeOwned;

use super::facts::{GroupEntry, cards};
use super::show::show as group;
use crate::pages::error::Loaded;
use crate::pages::form::Form;
use crate::pages::form_route::{FormRequest, SessionFormRequest, up};
use crate::pages::import_file::ImportAnswer;
use crate::pages::redraw::redraw;
use crate::pages::redraw::show as show_page;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;

/// Cards with which people sign in, to be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupCards {
    pub group: GroupEntry,
    pub code: String,
    /// The address of the page where people sign in, without the scheme.
    pub door: String,
    pub cards: Vec<GroupCard>,
    /// An import has just written the people of the cards.
    pub is_import: bool,
}

/// A card of one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupCard {
    pub number: i64,
    pub name: String,
    /// Only in the response that has set it.
    pub pin: Option<String>,
    /// Opens the page with the fields filled in.
    pub qr: Option<QrCode>,
}

/// `GET /groups/{group_id}/cards`: cards without PINs.
pub async fn show(PageAt(path): PageAt<GroupPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, cards_page)
}

async fn read(request: &PageRequest, path: Loaded<GroupPath>) -> Loaded<GroupCards> {
    let (GroupPath { group_id }, user) = (path?, request.user_id()?);
    let mut db = request.db().await?;
    let seen = authorize_keeper(&mut db, group_id, user).await?;
    let people = groups::people(&mut db, group_id, request.now).await?.into_iter();
    drop(db);
    let managed = people.filter(|person| person.is_managed).map(|person| WithKeys { person, keys: None });
    cards(request, seen, managed.collect()).await
}

/// The people of a group with their new PINs, as its keeper sees them.
pub struct Changed {
    pub group_id: GroupId,
    pub user: UserId,
    pub people: Vec<WithKeys>,
    /// An import has written them.
    pub is_import: bool,
}

/// The page with the cards. No redirect: the PINs are stored nowhere.
impl ImportAnswer for Changed {
    async fn answer(self, state: &AppState, form: &Form, page: Uri) -> Response {
        let Self { group_id, user, people, is_import } = self;
        let show_cards = async move |request: PageRequest| {
            let page = with_pins(&request, group_id, user, people).await;
            let page = page.map(|page| GroupCards { is_import, ..page });
            request.render(page, cards_page)
        };
        show_page(state, form, show_cards, page, None).await
    }
}

async fn with_pins(
    request: &PageRequest,
    group_id: GroupId,
    user: UserId,
    people: Vec<WithKeys>,
) -> Loaded<GroupCards> {
    let seen = authorize_keeper(&mut request.db().await?, group_id, user).await?;
    cards(request, seen, people).await
}

/// `POST /groups/{group_id}/people`: adds the names of a list, and shows the cards.
pub fn add() -> MethodRouter<AppState> {
    cards_form(add_names, 1)
}

/// `POST /groups/{group_id}/pins`: gives new PINs to the ticked people or all, and shows the cards.
pub fn pins() -> MethodRouter<AppState> {
    cards_form(new_pins, 1)
}

/// `POST /groups/{group_id}/people/{person}/undo-upgrade`: takes back an upgrade, and shows the card.
pub fn undo_upgrade() -> MethodRouter<AppState> {
    cards_form(undone, 3)
}

/// The route of a form of the group's page, so many segments below it, that is answered with cards.
fn cards_form<P, Verb, Done>(verb: Verb, below: usize) -> MethodRouter<AppState>
where
    P: DeserializeOwned + Send + 'static,
    Verb: Fn(SessionFormRequest<P>) -> Done + Clone + Send + Sync + 'static,
    Done: Future<Output = Result<Changed, Problem>> + Send,
{
    post(
        async move |State(state): State<AppState>,
                    MaybeUser(user): MaybeUser,
                    visitor: Visitor,
                    path: Result<At<P>, Problem>,
                    uri: Uri,
                    form: Form| {
            let form = Arc::new(form);
            let done = match SessionFormRequest::of(&state, user.as_deref(), visitor, path, &form) {
                Ok(request) => verb(request).await,
                Err(problem) => Err(problem),
            };
            match done {
                Ok(changed) => changed.answer(&state, &form, up(&uri, below)).await,
                Err(problem) => redraw(&state, &form, group, up(&uri, below), problem).await,
            }
        },
    )
}

async fn add_names(by: SessionFormRequest<GroupPath>) -> Result<Changed, Problem> {
    let SessionFormRequest { request, .. } = by;
    let FormRequest { state, user, path: GroupPath { group_id }, form } = request;
    let keeper = (group_id, user);
    let added = add_people(&state.context, &state.accounts, keeper, NamesBody(form)).await;
    let people = added.map_err(|error| of_names(error.into()))?.resource;
    Ok(Changed { group_id, user, people, is_import: false })
}

async fn new_pins(by: SessionFormRequest<GroupPath>) -> Result<Changed, Problem> {
    let SessionFormRequest { request, .. } = by;
    let FormRequest { state, user, path: GroupPath { group_id }, form } = request;
    authorize_keeper(&mut state.context.db.read().await?, group_id, user).await?;
    let ticked = form.fields().iter().filter(|(name, _)| name == "number");
    let ticked: Vec<PersonNumber> = ticked.filter_map(|(_, number)| number.parse().ok()).collect();
    let whom = if form.text("whom") == "ALL" { None } else { Some(ticked.as_slice()) };
    if whom.is_some_and(<[_]>::is_empty) {
        return Err(Problem::explained("number", "Tick the people who get new PINs."));
    }
    let keeper = (group_id, user);
    let people = renew_pins(&state.context, &state.accounts, keeper, whom).await?;
    Ok(Changed { group_id, user, people, is_import: false })
}

async fn undone(by: SessionFormRequest<PersonPath>) -> Result<Changed, Problem> {
    let SessionFormRequest { request, visitor, .. } = by;
    let FormRequest { state, user, path: PersonPath { group_id, person }, .. } = request;
    let whom = (group_id, user, person);
    let person = undo(&state.context, &state.accounts, &visitor, whom).await?;
    Ok(Changed { group_id, user, people: vec![person], is_import: false })
}

/// The people whom the field for names describes.
struct NamesBody(Arc<Form>);

impl Body for NamesBody {
    fn read(self) -> Result<Object, Problem> {
        people_of(self.0.text("names"))
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        self.0.keyed()
    }
}

/// A person for each line that has a name.
fn people_of(names: &str) -> Result<Object, Problem> {
    let lines = names.lines().map(str::trim).filter(|line| !line.is_empty());
    let people: Vec<Object> = lines
        .map(|name| {
            let mut person = Object::default();
            person.set("name", &name);
            person
        })
        .collect();
    if people.is_empty() {
        return Err(Problem::explained("names", "Enter a name in each line."));
    }
    let mut object = Object::default();
    object.set("people", &people);
    Ok(object)
}

/// The field has one error for all names.
fn of_names(mut problem: Problem) -> Problem {
    let first = problem.fields.first().map(|field| field.path.clone()).unwrap_or_default();
    let line = first.strip_prefix("people.").and_then(|rest| rest.split('.').next()?.parse::<usize>().ok());
    let words = match line {
        Some(at) => format!("The name number {} can’t be used: nobody was added.", at + 1),
        None if first == "people" => "Add at most 500 people at once.".to_owned(),
        None => return problem,
    };
    problem.fields = vec![FieldError::explained("names", words)];
    problem
}

fn cards_page(page: GroupCards) -> Html {
    let GroupCards { group, code, door, cards, is_import } = page;
    let has_pins = cards.iter().any(|card| card.pin.is_some());
    let lead = if has_pins {
        "Print these cards now: the PINs are shown only here. Who loses a PIN gets a new one from you."
    } else {
        "Cards without PINs, to be filled in by hand. For cards with PINs, give new ones."
    };
    let rows = cards.into_iter().map(|card| {
        view! { <Card card code=code.clone() door=door.clone() /> }
    });
    let rows = rows.collect::<Vec<_>>();
    let path = format!("/groups/{}", group.id);
    let undo = is_import.then(|| {
        view! {
            <p class="hint no-print">
                "Imported. Was it the wrong table? " <a href=format!("{path}/import#imports")>"Undo the import"</a>
            </p>
        }
    });
    html(view! {
        <PageTitle text=format!("Cards of {}", group.name) />
        <header class="page-head no-print">
            <div>
                <p class="eyebrow">
                    <a href=path.clone()>
                        <Name text=group.name />
                    </a>
                </p>
                <h1>"Cards"</h1>
                <p class="lead">{lead}</p>
            </div>
            <p class="actions">
                <button class="button primary" type="button" data-print="">
                    "Print"
                </button>
                <a class="button" href=path>
                    "Back to the group"
                </a>
            </p>
        </header>
        {undo}
        <ul class="group-cards" role="list" data-unprinted=has_pins.then_some("")>
            {rows}
        </ul>
    })
}

#[component]
fn Card(card: GroupCard, code: String, door: String) -> impl IntoView {
    let GroupCard { number, name, pin, qr } = card;
    let pin = pin.unwrap_or_else(|| "________".to_owned());
    view! {
        <li class="group-card">
            <div>
                <p class="group-card-number">{number}</p>
                <p class="group-card-name">
                    <Name text=name />
                </p>
                <dl>
                    <dt>"Go to"</dt>
                    <dd class="group-card-door">{door}</dd>
                    <dt>"Code"</dt>
                    <dd>{code}</dd>
                    <dt>"Number"</dt>
                    <dd>{number}</dd>
                    <dt>"PIN"</dt>
                    <dd>{pin}</dd>
                </dl>
            </div>
            {qr.map(|qr| view! { <QrCode qr label="QR code that fills in the form" /> })}
        </li>
    }
}
