//! `/groups`: the viewer's groups, and the form that joins one.

use accounts::groups::store as groups;
use app::components::empty_state::EmptyState;
use app::components::error_summary::ErrorSummary;
use app::components::field::{Field, TextField};
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use auction_house::groups::join::join_group;
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;
use platform::http::problem::Problem;

use super::facts::{GroupEntry, entry};
use super::{CODE, Done};
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

const FIELDS: &[Field] = &[CODE];

/// `may_create` is false for a managed user.
fn groups_page(groups: Vec<GroupEntry>, may_create: bool) -> Html {
    let content = if groups.is_empty() {
        Either::Left(view! { <Nothing /> })
    } else {
        let rows = groups.into_iter().map(|group| view! { <Row group /> });
        Either::Right(view! { <ul class="books" role="list">{rows.collect_view()}</ul> })
    };
    let create = may_create.then(|| {
        view! {
            <a class="button" href="/groups/new">
                "New group"
            </a>
        }
    });
    html(view! {
        <PageTitle text="Groups" />
        <header class="page-head">
            <div>
                <h1>"Groups"</h1>
                <p class="lead">"A class, a guild or a club: people who bid together again and again, with a number each."</p>
            </div>
            {create}
        </header>
        <Done />
        {content}
        {may_create.then(|| view! { <Join /> })}
    })
}

#[component]
fn Nothing() -> impl IntoView {
    view! {
        <EmptyState
            title="You are in no group yet"
            text="The people of a group need no e-mail: you add their names, print a card for each, and they sign in with number and PIN. Choose the group for an auction, and all of them are members."
        >
            <a class="button primary" href="/groups/new">
                "New group"
            </a>
        </EmptyState>
    }
}

#[component]
fn Row(group: GroupEntry) -> impl IntoView {
    let GroupEntry { id, name, is_keeper, people } = group;
    view! {
        <li class="book-row">
            <div>
                <h2>
                    <a href=format!("/groups/{id}")>
                        <Name text=name />
                    </a>
                </h2>
                <p class="facts">
                    <span>{if is_keeper { "You keep it" } else { "You are in it" }}</span>
                    <span>{people_words(people)}</span>
                </p>
            </div>
        </li>
    }
}

/// How many people a group has.
pub fn people_words(people: i64) -> String {
    if people == 1 { "1 person".to_owned() } else { format!("{people} people") }
}

#[component]
fn Join() -> impl IntoView {
    view! {
        <section class="group-page" aria-labelledby="join">
            <form method="post" action="/groups/join" novalidate>
                <h2 id="join">"Join a group"</h2>
                <ErrorSummary fields=&[FIELDS] />
                <TextField
                    field=CODE
                    hint="Its keeper tells you the six letters and digits."
                    autocomplete="off"
                    required=true
                    class="medium"
                />
                <button class="button" type="submit">
                    "Join"
                </button>
            </form>
        </section>
    }
}
