//! The holders with what they have, and the forms that add one and change a role.

use app::components::field::{Field, TextField};
use app::components::name::Name;
use app::components::pagination::Pagination;
use app::model::{BaseUnit, BookRole, Funds, Listing};
use leptos::prelude::*;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::pages::books::{FundsList, role_word};

/// A holder of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HolderEntry {
    pub id: String,
    pub name: String,
    pub role: BookRole,
    pub funds: Funds,
    pub is_viewer: bool,
}

pub(super) const EMAIL: Field =
    Field::new("email", "E-mail", "Enter an e-mail address, such as ada@example.org.");

#[component]
pub fn Holders(
    path: String,
    unit: BaseUnit,
    role: BookRole,
    is_closed: bool,
    holders: Listing<HolderEntry>,
    search: Option<String>,
    cursor: Option<String>,
) -> impl IntoView {
    let first = match &search {
        Some(search) => format!("{path}?q={}", utf8_percent_encode(search, NON_ALPHANUMERIC)),
        None => path.clone(),
    };
    let none = holders.entries.is_empty().then(|| view! { <p class="hint">"Nobody is found."</p> });
    let rows = holders.entries.into_iter().map(|holder| {
        view! { <Row holder path=path.clone() unit=unit.clone() role_of_viewer=role /> }
    });
    let rows = rows.collect::<Vec<_>>();
    let add = (role.keeps() && !is_closed).then(|| view! { <Add path=path.clone() /> });
    view! {
        <section aria-labelledby="holders">
            <h2 id="holders">"People"</h2>
            {add}
            <form class="holder-search" method="get" action=path.clone() role="search">
                <label for="holder-search">"Find a person"</label>
                <input id="holder-search" name="q" type="search" value=search maxlength="100" />
                <button class="button" type="submit">
                    "Find"
                </button>
            </form>
            {none}
            <ul class="member-rows holders" role="list">
                {rows}
            </ul>
            <Pagination path=first cursor next=holders.next_cursor />
        </section>
    }
}

#[component]
fn Add(path: String) -> impl IntoView {
    view! {
        <form class="invite-form" method="post" action=format!("{path}/holders") novalidate>
            <TextField
                field=EMAIL
                hint="Of a member of an auction that you manage. Others take part by the link."
                kind="email"
                autocomplete="off"
                required=true
            />
            <button class="button" type="submit">
                "Add person"
            </button>
        </form>
    }
}

#[component]
fn Row(holder: HolderEntry, path: String, unit: BaseUnit, role_of_viewer: BookRole) -> impl IntoView {
    let HolderEntry { id, name, role, funds, is_viewer } = holder;
    let overcommitted = funds.is_overcommitted().then(|| {
        view! { <span class="overcommitted">"Leads more than is available"</span> }
    });
    let entries = role_of_viewer.keeps().then(|| {
        view! {
            <a href=format!("{path}?holder={id}#entries") aria-label=format!("Entries of {name}")>
                "Entries"
            </a>
        }
    });
    let change = (role_of_viewer == BookRole::Owner && !is_viewer).then(|| {
        view! { <ChangeRole action=format!("{path}/holders/{id}/role") name=name.clone() role /> }
    });
    view! {
        <li>
            <div>
                <p class="member-name">
                    <Name text=name.clone() />
                    {is_viewer.then_some(" (you)")}
                </p>
                <p class="facts">
                    <span>{role_word(role)}</span>
                    {overcommitted}
                    {entries}
                </p>
            </div>
            <FundsList funds unit />
            {change}
        </li>
    }
}

#[component]
fn ChangeRole(action: String, name: String, role: BookRole) -> impl IntoView {
    let options = [
        (BookRole::Holder, "Person"),
        (BookRole::Teller, "Helper: gives and takes back"),
        (BookRole::Owner, "Owner: you become a helper"),
    ];
    let options = options.map(|(value, label)| {
        view! {
            <option value=value.as_str() selected=value == role>
                {label}
            </option>
        }
    });
    view! {
        <details class="manage-member">
            <summary aria-label=format!("Change {name}")>"Change"</summary>
            <form class="manage-member-forms" method="post" action=action>
                <select name="role" aria-label=format!("Role of {name}")>
                    {options.collect_view()}
                </select>
                <button class="button" type="submit">
                    "Change role"
                </button>
            </form>
        </details>
    }
}
