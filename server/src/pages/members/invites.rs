//! Inviting by e-mail, and the invites that were not used yet.

use app::components::field::{Field, SelectField, TextField, refused_value};
use app::components::moment::{date_and_time, stamp};
use app::model::{Role, SelectOption};
use app::request::request;
use leptos::prelude::*;

use super::words::{role_in_a_sentence, role_word};

/// An invite that was not used yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InviteEntry {
    pub id: String,
    pub email: String,
    pub role: Role,
    pub expires_at: i64,
    /// Address of the page of the invite.
    pub url: String,
    /// Its mail can't be sent.
    pub is_unsent: bool,
}

const EMAIL: Field = Field::new("email", "E-mail", "Enter an e-mail address, such as ada@example.org.");
pub(super) const ROLE: Field = Field::new("role", "Role", "Choose a role of the list.");
pub(super) const FIELDS: &[Field] = &[EMAIL, ROLE];

#[component]
pub fn Invites(
    invites: Vec<InviteEntry>,
    path: String,
    may_invite: bool,
    may_manage: bool,
    sends_mail: bool,
) -> impl IntoView {
    let rows = invites.into_iter().map(|invite| view! { <Row invite path=path.clone() /> });
    let rows = rows.collect::<Vec<_>>();
    let list = (!rows.is_empty()).then(|| view! { <ul class="member-rows" role="list">{rows}</ul> });
    view! {
        <section aria-labelledby="invites">
            <h2 id="invites">"Invitations"</h2>
            {may_invite.then(|| view! { <NewInvite path=path.clone() may_manage sends_mail /> })}
            {list}
        </section>
    }
}

#[component]
fn NewInvite(path: String, may_manage: bool, sends_mail: bool) -> impl IntoView {
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    let delivery = if sends_mail {
        "Its link is mailed, unless the address wants no invitations; you can pass the link on, too."
    } else {
        "No e-mail is sent: you get a link to pass on."
    };
    let roles = may_manage.then(|| {
        view! { <SelectField field=ROLE options=role_options() chosen=Role::Bidder.as_str() /> }
    });
    view! {
        <p>{format!("An invitation works once, for seven days, for the account with this e-mail. {delivery}")}</p>
        <form class="invite-form" method="post" action=format!("{path}/invites") novalidate>
            <input type="hidden" name="idempotencyKey" value=key />
            <TextField field=EMAIL kind="email" autocomplete="off" required=true />
            {roles}
            <button class="button primary" type="submit">
                "Invite"
            </button>
        </form>
    }
}

/// The roles that a manager gives.
pub fn role_options() -> Vec<SelectOption> {
    let option = |role: Role| SelectOption {
        value: role.as_str().to_owned(),
        label: match role {
            Role::Bidder => "Bidder".to_owned(),
            Role::Creator => "Seller: adds items".to_owned(),
            Role::Clerk => "Clerk".to_owned(),
            Role::Admin => "Admin: manages all".to_owned(),
            Role::Owner => role_word(role).to_owned(),
        },
    };
    [Role::Bidder, Role::Creator, Role::Clerk, Role::Admin].map(option).into()
}

#[component]
fn Row(invite: InviteEntry, path: String) -> impl IntoView {
    let InviteEntry { id, email, role, expires_at, url, is_unsent } = invite;
    let unsent = is_unsent
        .then(|| view! { <p class="field-error">"The mail with it can’t be sent to this address: pass on the link."</p> });
    view! {
        <li>
            <div>
                <p class="member-name">{email.clone()}</p>
                <p class="facts">
                    <span>"As " {role_in_a_sentence(role)}</span>
                    <span>
                        "Until " <time datetime=stamp(expires_at)>{date_and_time(expires_at)}</time>
                    </span>
                </p>
                {unsent}
                <input type="text" value=url readonly aria-label=format!("Link for {email}") />
            </div>
            <form method="post" action=format!("{path}/invites/{id}/delete")>
                <button class="button" type="submit" aria-label=format!("Delete the invitation for {email}")>
                    "Delete"
                </button>
            </form>
        </li>
    }
}
