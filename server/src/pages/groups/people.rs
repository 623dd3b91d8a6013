//! The forms of one person on the page of a group.

use app::components::moment::{date_and_time, stamp};
use app::components::name::Name;
use app::components::pagination::Pagination;
use app::model::Listing;
use auction_house::groups::people::change::change_person;
use auction_house::groups::people::remove::remove_person;
use auction_house::groups::removed;
use auction_house::path::{PersonPath, RemovedPersonPath};
use leptos::prelude::*;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::text::ascii_digits;

use super::facts::PersonEntry;
use super::show::done;
use crate::codes;
use crate::pages::form::Form;
use crate::pages::form_route::{FormRequest, SessionFormRequest};

/// `POST /groups/{group_id}/people/{person}/change`
pub async fn change(request: SessionFormRequest<PersonPath>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, path, form }, .. } = request;
    let whom = (path.group_id, user, path.person);
    let changed = change_person(&state.context, &state.accounts, whom, patch(&form)).await;
    changed.map_err(|error| of_a_row(error.into()))?;
    Ok(done(path.group_id, "changed"))
}

/// `POST /groups/{group_id}/people/{person}/remove`, a button.
pub async fn remove(request: FormRequest<PersonPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, .. } = request;
    let whom = (path.group_id, user, path.person);
    remove_person(&state.context, &state.accounts, whom).await?;
    Ok(done(path.group_id, "removed"))
}

/// `POST /groups/{group_id}/removed/{user_id}/readmit`, a button.
pub async fn readmit(request: FormRequest<RemovedPersonPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, .. } = request;
    let RemovedPersonPath { group_id, user_id } = path;
    removed::readmit(&state.context, group_id, user, user_id).await?;
    Ok(done(group_id, "readmitted"))
}

/// What the form changes: its fields are those of a row, or a button.
fn patch(form: &Form) -> Object {
    let mut patch = Object::default();
    // A keeper without a number has an empty field.
    let number = form.get("number").filter(|text| !text.trim().is_empty());
    match number.map(|text| ascii_digits(text.trim()).parse::<i64>().map_err(|_| text)) {
        Some(Ok(number)) => patch.set("number", &number),
        Some(Err(text)) => patch.set("number", &text),
        None => {}
    }
    for name in ["name", "role"] {
        patch.set_given(name, form.get(name).as_ref());
    }
    if let Some(disabled) = form.get("disabled") {
        patch.set("disabled", &(disabled == "true"));
    }
    patch
}

/// Each row has the form: its error is one of the page.
fn of_a_row(problem: Problem) -> Problem {
    match problem.code {
        codes::INVALID_BODY => {
            Problem::new(codes::INVALID_BODY, "Enter a number from 1 to 9999, and a name that can be read.")
        }
        _ => problem,
    }
}

/// The list with a search, and the form that gives new PINs to some or all.
#[component]
pub fn People(
    people: Listing<PersonEntry>,
    search: Option<String>,
    cursor: Option<String>,
    path: String,
) -> impl IntoView {
    let Listing { entries, next_cursor } = people;
    let is_empty = entries.is_empty();
    let has_managed = entries.iter().any(|person| person.is_managed);
    let rows = entries.into_iter().map(|person| view! { <Row person path=path.clone() /> });
    let rows = rows.collect::<Vec<_>>();
    let none = is_empty.then(|| view! { <p>"Nobody has this name or number."</p> });
    let pins = has_managed.then(|| view! { <NewPins path=path.clone() /> });
    view! {
        <section aria-labelledby="people">
            <h2 id="people">"People"</h2>
            <form class="person-search" method="get" action=path.clone() role="search">
                <input type="search" name="q" value=search aria-label="Name or number" />
                <button class="button" type="submit">
                    "Find"
                </button>
            </form>
            {none}
            <ul class="member-rows" role="list">
                {rows}
            </ul>
            <Pagination path=path.clone() cursor next=next_cursor />
            {pins}
        </section>
    }
}

#[component]
fn NewPins(path: String) -> impl IntoView {
    view! {
        <form class="danger" id="pins" method="post" action=format!("{path}/pins")>
            <p>"New PINs for the people whom you have ticked. The old PINs sign nobody in, and their browsers are signed out. The next page has their new cards."</p>
            <div class="actions">
                <button class="button" type="submit" name="whom" value="TICKED">
                    "New PINs for the ticked"
                </button>
                <button class="button" type="submit" name="whom" value="ALL">
                    "New PINs for all"
                </button>
            </div>
        </form>
    }
}

#[component]
fn Row(person: PersonEntry, path: String) -> impl IntoView {
    let own_path = format!("{path}/people/{}", person.key);
    let last = person.last_sign_in_at.map(|at| {
        view! {
            <span>
                "Signed in " <time datetime=stamp(at)>{date_and_time(at)}</time>
            </span>
        }
    });
    let tick = person.number.filter(|_| person.is_managed).map(|number| {
        let label = format!("New PIN for number {number}");
        view! { <input type="checkbox" form="pins" name="number" value=number.to_string() aria-label=label /> }
    });
    let states = [
        (person.is_keeper, "Keeper"),
        (!person.is_managed, "Has an account"),
        (person.is_disabled, "Can’t sign in"),
        (person.locked_until.is_some(), "Locked after wrong PINs"),
    ];
    let states = states.into_iter().filter(|(is, _)| *is).map(|(_, word)| view! { <span>{word}</span> });
    let states = states.collect::<Vec<_>>();
    view! {
        <li>
            <div>
                <p class="member-name">
                    {tick} " " <strong>{person.number}</strong> " " <Name text=person.name.clone() />
                    {person.is_viewer.then_some(" (you)")}
                </p>
                <p class="facts">{states} {last}</p>
            </div>
            <Manage person path=own_path />
        </li>
    }
}

/// The forms that change and remove a person, folded up.
#[component]
fn Manage(person: PersonEntry, path: String) -> impl IntoView {
    let PersonEntry { number, name, is_managed, is_keeper, is_disabled, locked_until, undo_until, .. } =
        person;
    let name_field = number.filter(|_| is_managed).map(|number| {
        view! {
            <input name="name" value=name.clone() maxlength="100" aria-label=format!("Name of number {number}") />
        }
    });
    let role = (!is_managed).then(|| {
        let (value, label) =
            if is_keeper { ("PERSON", "No longer a keeper") } else { ("KEEPER", "Make a keeper") };
        view! {
            <form method="post" action=format!("{path}/change")>
                <button class="button" type="submit" name="role" value=value>
                    {label}
                </button>
            </form>
        }
    });
    let door = is_managed.then(|| {
        let (value, label) = match (is_disabled, locked_until.is_some()) {
            (true, _) => ("false", "Let sign in again"),
            (false, true) => ("false", "Unlock"),
            (false, false) => ("true", "Stop from signing in"),
        };
        view! {
            <form method="post" action=format!("{path}/change")>
                <button class="button" type="submit" name="disabled" value=value>
                    {label}
                </button>
            </form>
        }
    });
    let undo = undo_until.map(|at| {
        view! {
            <form class="danger" method="post" action=format!("{path}/undo-upgrade")>
                <p>
                    "The account is one without an e-mail again, with a new PIN, until "
                    <time datetime=stamp(at)>{date_and_time(at)}</time>
                    ". Its e-mail and password sign nobody in then."
                </p>
                <button class="button" type="submit">
                    "Undo the account of their own"
                </button>
            </form>
        }
    });
    let effect = if is_managed {
        "The account is deleted. Bids stay, without the name."
    } else {
        "They leave the group and its open auctions. Their account and their bids stay."
    };
    view! {
        <details class="manage-member">
            <summary aria-label=format!("Change {name}")>"Change"</summary>
            <div class="manage-member-forms">
                <form method="post" action=format!("{path}/change")>
                    <input
                        name="number"
                        value=number.map(|number| number.to_string())
                        required=number.is_some()
                        inputmode="numeric"
                        maxlength="4"
                        aria-label=format!("Number of {name}")
                    />
                    {name_field}
                    <button class="button" type="submit">
                        "Save"
                    </button>
                </form>
                {door}
                {role}
                {undo}
                <form class="danger" method="post" action=format!("{path}/remove")>
                    <p>{effect}</p>
                    <button class="button" type="submit">
                        {format!("Remove {name}")}
                    </button>
                </form>
            </div>
        </details>
    }
}
