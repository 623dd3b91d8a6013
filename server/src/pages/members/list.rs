//! The members, each with what the viewer may do to them.

use app::components::moment::{date_and_time, stamp};
use app::components::name::Name;
use app::model::Role;
use leptos::prelude::*;

use super::invites::{ROLE, role_options};
use super::words::role_word;

/// A member of an auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberEntry {
    pub id: String,
    pub name: String,
    pub role: Role,
    pub joined_at: i64,
    pub is_viewer: bool,
    /// The viewer may change the role and remove the member.
    pub is_managed: bool,
    /// Whether the member is present. None where the viewer does not record it.
    pub present: Option<bool>,
}

#[component]
pub fn MemberList(members: Vec<MemberEntry>, path: String) -> impl IntoView {
    let rows = members.into_iter().map(|member| view! { <Row member path=path.clone() /> });
    view! {
        <ul class="member-rows" role="list">
            {rows.collect::<Vec<_>>()}
        </ul>
    }
}

#[component]
fn Row(member: MemberEntry, path: String) -> impl IntoView {
    let member_path = format!("{path}/{}", member.id);
    let MemberEntry { name, role, joined_at, is_viewer, is_managed, present, .. } = member;
    let manage = (is_managed && !is_viewer).then(|| {
        view! { <Manage path=member_path.clone() name=name.clone() role /> }
    });
    let leave = (is_viewer && role != Role::Owner).then(|| {
        view! {
            <form class="leave" method="post" action=format!("{member_path}/remove")>
                <button class="button" type="submit">
                    "Leave the auction"
                </button>
                <p class="hint">"Your bids stay. Others no longer see you as a member."</p>
            </form>
        }
    });
    let here = present.map(|present| {
        let (label, value) = if present { ("Not present any more", "false") } else { ("Present", "true") };
        view! {
            <form method="post" action=format!("{member_path}/present")>
                <input type="hidden" name="present" value=value />
                <button class="button" type="submit" aria-label=format!("{label}: {name}")>
                    {label}
                </button>
            </form>
        }
    });
    view! {
        <li>
            <div>
                <p class="member-name"><Name text=name /> {is_viewer.then_some(" (you)")}</p>
                <p class="facts">
                    <span>{role_word(role)}</span>
                    {(present == Some(true)).then(|| view! { <span>"Present"</span> })}
                    <span>
                        "Since " <time datetime=stamp(joined_at)>{date_and_time(joined_at)}</time>
                    </span>
                </p>
            </div>
            {here}
            {manage}
            {leave}
        </li>
    }
}

/// The forms that change and remove a member, folded up.
#[component]
fn Manage(path: String, name: String, role: Role) -> impl IntoView {
    let options = role_options().into_iter().map(|option| {
        let selected = option.value == role.as_str();
        view! {
            <option value=option.value selected=selected>
                {option.label}
            </option>
        }
    });
    view! {
        <details class="manage-member">
            <summary aria-label=format!("Change {name}")>"Change"</summary>
            <div class="manage-member-forms">
                <form method="post" action=format!("{path}/role")>
                    <select name=ROLE.name aria-label=format!("Role of {name}")>
                        {options.collect::<Vec<_>>()}
                    </select>
                    <button class="button" type="submit">
                        "Change role"
                    </button>
                </form>
                <form class="danger" method="post" action=format!("{path}/remove")>
                    <p>"A removed member sees no private auction, can’t bid, and returns by invitation only. Bids stay."</p>
                    <button class="button" type="submit">
                        {format!("Remove {name}")}
                    </button>
                </form>
            </div>
        </details>
    }
}
