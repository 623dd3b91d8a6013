//! `/groups/{group_id}`: a group, and what its keepers change.

use accounts::groups::store as groups;
use accounts::sign_in_by_number::prove_pin;
use accounts::user::store::is_managed;
use app::components::error_summary::ErrorSummary;
use app::components::export_links::ExportLinks;
use app::components::field::{Field, TextArea, refused_value};
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use app::model::{Filled, Listing};
use app::request::request;
use auction_house::auctions;
use auction_house::groups::access::authorize;
use auction_house::groups::delete::delete_group;
use auction_house::groups::open::open_numbers;
use auction_house::groups::patch::patch_group;
use auction_house::groups::people::list::list_people;
use auction_house::groups::people::remove::leave_group;
use auction_house::groups::removed::list_removed;
use auction_house::groups::renew_code::renew_code;
use auction_house::ids::GroupId;
use auction_house::path::GroupPath;
use axum::response::Response;
use leptos::prelude::*;
use platform::http::problem::Problem;
use platform::paging::Page;
use platform::search_text::SearchText;
use platform::time::Moment;

use super::facts::{GroupEntry, PersonEntry, door, entry, person_entry};
use super::failures::Failures;
use super::leave::{Leave, Leaving, PIN};
use super::list::people_words;
use super::new::{GroupFields, terms};
use super::people::People;
use super::removed::{Removed, RemovedEntry};
use super::{Done, NAME, NAMES};
use crate::pages::error::Loaded;
use crate::pages::form::beside_pin;
use crate::pages::form_route::{FormRequest, NextPage, SessionFormRequest};
use crate::pages::request::{PageAt, PageRequest};

/// A group, for its people.
#[derive(Debug, Clone, PartialEq, Eq)]
struct GroupPage {
    group: GroupEntry,
    /// The auctions of the group that the viewer sees: address and name.
    auctions: Vec<(String, String)>,
    leaving: Leaving,
    /// For the keepers.
    kept: Option<KeptGroup>,
}

/// A group as its keepers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct KeptGroup {
    code: String,
    joinable: bool,
    /// The address of the page where people sign in.
    door: String,
    people: Listing<PersonEntry>,
    /// The numbers with most failed sign-ins, most first.
    failing: Vec<PersonEntry>,
    /// Until then no number is locked.
    open_until: Option<i64>,
    search: Option<String>,
    cursor: Option<String>,
    removed: Listing<RemovedEntry>,
}

/// `GET /groups/{group_id}`
pub async fn show(PageAt(path): PageAt<GroupPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, group_page)
}

async fn read(request: &PageRequest, path: Loaded<GroupPath>) -> Loaded<GroupPage> {
    let (GroupPath { group_id }, user) = (path?, request.user_id()?);
    let db = &mut request.db().await?;
    let seen = authorize(db, group_id, user).await?;
    let auctions = auctions::store::seen_of_group(db, group_id, user).await?;
    let auctions = auctions.into_iter().map(|(id, name)| (format!("/auctions/{id}"), name)).collect();
    let search = request.query("q").map(str::to_owned);
    let kept = if seen.role.keeps() {
        let wanted: Option<SearchText> = search.as_deref().and_then(|search| search.parse().ok());
        let page = Page { limit: Page::<()>::LIMIT_MAX, ..request.page() };
        let people = list_people(db, &seen, wanted.as_ref(), page, request.now).await?;
        let people = people.map(|person| person_entry(user, person, request.now));
        let removed = list_removed(db, &seen, Page { limit: Page::<()>::LIMIT_MAX, after: None }).await?;
        let removed = removed.map(|removed| RemovedEntry {
            id: removed.person.id.to_string(),
            name: removed.person.name,
            removed_at: removed.removed_at.millis(),
        });
        let failing = groups::failing(db, group_id, request.now).await?.into_iter();
        Some(KeptGroup {
            code: seen.code.as_str().to_owned(),
            joinable: seen.joinable,
            door: door(request.site()),
            people: Listing { entries: people.entries, next_cursor: people.next_cursor },
            failing: failing.map(|person| person_entry(user, person, request.now)).collect(),
            open_until: Some(seen.open_until).filter(|until| *until > request.now).map(Moment::millis),
            search,
            cursor: request.cursor(),
            removed: Listing { entries: removed.entries, next_cursor: removed.next_cursor },
        })
    } else {
        None
    };
    let leaving = if request.signed_in()?.is_managed() {
        Leaving::WithPin
    } else if seen.role.keeps() && !groups::has_other_keeper(db, group_id, user).await? {
        Leaving::LastKeeper
    } else if seen.joinable {
        Leaving::CodeBringsBack
    } else {
        Leaving::KeeperBringsBack
    };
    Ok(GroupPage { group: entry(&seen), auctions, leaving, kept })
}

/// The page with the success message of a form.
pub fn done(group_id: GroupId, form: &str) -> String {
    format!("/groups/{group_id}?done={form}")
}

/// `POST /groups/{group_id}/settings`
pub async fn change(request: FormRequest<GroupPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: GroupPath { group_id }, form } = request;
    patch_group(&state.context, group_id, user, terms(&form)).await?;
    Ok(done(group_id, "saved"))
}

/// `POST /groups/{group_id}/code`, a button.
pub async fn new_code(request: FormRequest<GroupPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: GroupPath { group_id }, .. } = request;
    renew_code(&state.context, group_id, user).await?;
    Ok(done(group_id, "code"))
}

/// `POST /groups/{group_id}/open`, a button.
pub async fn open(request: FormRequest<GroupPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: GroupPath { group_id }, .. } = request;
    open_numbers(&state.context, group_id, user).await?;
    Ok(done(group_id, "open"))
}

/// `POST /groups/{group_id}/leave`. A managed user, whose account is deleted, proves it by the PIN.
pub async fn leave(request: SessionFormRequest<GroupPath>) -> Result<NextPage, Problem> {
    let SessionFormRequest { request, visitor, .. } = request;
    let FormRequest { state, user, path: GroupPath { group_id }, form } = request;
    let mut db = state.context.db.read().await?;
    authorize(&mut db, group_id, user).await?;
    let is_managed = is_managed(&mut db, user).await?;
    drop(db);
    if is_managed {
        let pin = form.text("pin").to_owned();
        let proven = prove_pin(&state.accounts, &visitor, user, pin).await;
        proven.map_err(|error| beside_pin(error.into()))?;
    }
    leave_group(&state.context, &state.accounts, (group_id, user)).await?;
    Ok(if is_managed { NextPage::signed_out("/go") } else { "/groups?done=left".to_owned().into() })
}

/// `POST /groups/{group_id}/delete`, a button.
pub async fn delete(request: FormRequest<GroupPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: GroupPath { group_id }, .. } = request;
    delete_group(&state.context, &state.accounts, group_id, user).await?;
    Ok("/groups?done=deleted".to_owned())
}

const FIELDS: &[Field] = &[NAMES, NAME, PIN];

fn group_page(page: GroupPage) -> Html {
    let GroupPage { group, auctions, leaving, kept } = page;
    let joinable = kept.as_ref().is_some_and(|kept| kept.joinable);
    let mut filled = vec![("name".to_owned(), group.name.clone())];
    filled.extend(joinable.then(|| ("joinable".to_owned(), "true".to_owned())));
    provide_context(Filled(filled));
    // A member sees nothing else.
    let none = auctions.is_empty() && kept.is_none();
    let none =
        none.then(|| view! { <p class="lead">"You are in. Auctions of the group will stand here."</p> });
    let auctions = (!auctions.is_empty()).then(|| view! { <Auctions auctions /> });
    let (path, name, people) = (format!("/groups/{}", group.id), group.name.clone(), group.people);
    html(view! {
        <PageTitle text=name.clone() />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href="/groups">"Groups"</a>
                </p>
                <h1>
                    <Name text=name />
                </h1>
                <p class="facts">
                    <span>{people_words(people)}</span>
                </p>
            </div>
        </header>
        <div class="group-page">
            <ErrorSummary fields=&[FIELDS] />
            <Done />
            {none}
            {auctions}
            {kept.map(|kept| view! { <Kept group kept path=path.clone() /> }.into_any())}
            {view! { <Leave leaving path /> }.into_any()}
        </div>
    })
}

#[component]
fn Auctions(auctions: Vec<(String, String)>) -> impl IntoView {
    let rows = auctions.into_iter().map(|(address, name)| {
        view! {
            <li>
                <a href=address>
                    <Name text=name />
                </a>
            </li>
        }
    });
    view! {
        <section aria-labelledby="auctions">
            <h2 id="auctions">"Auctions"</h2>
            <ul class="book-auctions">{rows.collect_view()}</ul>
        </section>
    }
}

#[component]
fn Kept(group: GroupEntry, kept: KeptGroup, path: String) -> impl IntoView {
    let KeptGroup { code, door, people, failing, open_until, search, cursor, removed, joinable, .. } = kept;
    view! {
        <section aria-labelledby="door">
            <h2 id="door">"How they sign in"</h2>
            <p>
                "At " <strong>{door}</strong> " with the code " <strong class="group-code">{code}</strong>
                ", their number and their PIN. A card has all of it, and a QR code that fills it in, which no wrong PINs of others lock."
            </p>
            <div class="actions">
                <a class="button" href=format!("{path}/cards")>
                    "Cards without PINs"
                </a>
                <form method="post" action=format!("{path}/code")>
                    <button class="button quiet" type="submit">
                        "New code"
                    </button>
                </form>
            </div>
        </section>
        {view! { <Failures failing open_until path=path.clone() /> }.into_any()}
        {view! { <Add path=path.clone() /> }.into_any()}
        {view! { <People people search cursor path=path.clone() /> }.into_any()}
        {view! { <Removed removed joinable path=path.clone() /> }.into_any()}
        {view! { <Settings group path /> }.into_any()}
    }
}

#[component]
fn Add(path: String) -> impl IntoView {
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    view! {
        <section aria-labelledby="add">
            <h2 id="add">"Add people"</h2>
            <form method="post" action=format!("{path}/people") novalidate>
                <input type="hidden" name="idempotencyKey" value=key />
                <TextArea
                    field=NAMES
                    hint="One name in each line, at most 500. The next page has a card for each, with a new PIN, to be printed: PINs are shown only there."
                />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Add and show the cards"
                    </button>
                    <a class="button quiet" href=format!("{path}/import")>
                        "Import a table"
                    </a>
                    <ExportLinks
                        path=format!("/api{path}/export")
                        csv="Numbers and names as CSV"
                        xlsx="Numbers and names as Excel"
                    />
                </div>
            </form>
        </section>
    }
}

#[component]
fn Settings(group: GroupEntry, path: String) -> impl IntoView {
    let name = group.name;
    view! {
        <section aria-labelledby="settings">
            <h2 id="settings">"Settings"</h2>
            <form method="post" action=format!("{path}/settings") novalidate>
                <GroupFields />
                <button class="button primary" type="submit">
                    "Save group"
                </button>
            </form>
            <form class="danger" method="post" action=format!("{path}/delete")>
                <p>"The accounts of its people without an e-mail are deleted, and their names vanish from their bids. An open auction keeps the group from being deleted."</p>
                <button class="button" type="submit">
                    {format!("Delete {name}")}
                </button>
            </form>
        </section>
    }
}
