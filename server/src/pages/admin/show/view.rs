//! `/admin`: the Deployment Administration. Other users see only whether there is a Deployment Admin.

use app::components::error_summary::ErrorSummary;
use app::components::field::{CheckField, Field, TextField};
use app::components::page_title::PageTitle;
use app::components::subjects::{Subjects, asked_subject};
use app::html::{Html, html};
use app::model::RunState;
use app::request::query_part;
use installation::settings::claim::ClaimTerms;
use leptos::either::{Either, EitherOf3};
use leptos::prelude::*;

use crate::pages::admin::audit_log::{AuditLine, AuditLog};
use crate::pages::admin::backups::{BACKUP, Backups, DOWNLOAD_PASSWORD, DOWNLOADED, RESTORE_PASSWORD};
use crate::pages::admin::health::Health;
use crate::pages::admin::password::{PasswordField, password};
use crate::pages::admin::previous::{Previous, ROLLBACK_PASSWORD};
use crate::pages::admin::second_factor::SecondFactor;
use crate::pages::admin::settings::{SettingInForce, SettingsInForce};
use crate::pages::admin::start_update::UPDATE_PASSWORD;
use crate::pages::admin::subjects::subjects;
use crate::pages::admin::update::{RunFacts, Update};
use crate::pages::admin::version::{Version, VersionFacts};

/// The page as the viewer may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminPage {
    /// There is no Deployment Admin.
    Unclaimed(ClaimTerms),
    /// Another user is the Deployment Admin.
    Taken,
    Mine(Box<Administration>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Administration {
    pub version: VersionFacts,
    pub auto_check_updates: bool,
    /// The Deployment Admin's account has a second factor.
    pub has_second_factor: bool,
    /// The role is for accounts with a second factor only.
    pub needs_second_factor: bool,
    /// The current or last run.
    pub run: Option<RunFacts>,
    /// The name of its state, which the event of this state has as its id.
    pub run_state: String,
    /// The version of the release before the current one, if it is installed.
    pub previous: Option<String>,
    pub backups: Backups,
    /// The operator's settings. The first is that of registration.
    pub settings: Vec<SettingInForce>,
    /// Free bytes of the disk with the data. Absent if they are not known.
    pub free_disk: Option<u64>,
    /// This installation sends mail.
    pub sends_mail: bool,
    /// Sentence about the store of pictures that needs a look. Absent if everything is fine.
    pub pictures: Option<String>,
    /// Newest first.
    pub log: Vec<AuditLine>,
    /// Sign-ins and what users did with their accounts, newest first.
    pub log_of_people: Vec<AuditLine>,
}

const TITLE: &str = "Deployment Administration";

const CLAIM_CODE: Field =
    Field::new("claimCode", "Claim code", "Enter the claim code from the server’s log.");
const EMAIL: Field = Field::new(
    "email",
    "E-mail of the new Deployment Admin",
    "Enter an e-mail address, such as ada@example.org.",
)
.called("the e-mail");
const TRANSFER_PASSWORD: Field = password("transferPassword");
const FIELDS: &[Field] = &[
    CLAIM_CODE,
    EMAIL,
    BACKUP,
    DOWNLOADED,
    TRANSFER_PASSWORD,
    UPDATE_PASSWORD,
    ROLLBACK_PASSWORD,
    DOWNLOAD_PASSWORD,
    RESTORE_PASSWORD,
];

pub fn admin_page(page: AdminPage) -> Html {
    let is_mine = matches!(page, AdminPage::Mine(_));
    html(view! {
        <PageTitle text=TITLE />
        <header class="page-head">
            <h1>{TITLE}</h1>
            {is_mine.then(|| view! { <p class="actions"><a class="button quiet" href="/admin/users">"Users"</a></p> })}
        </header>
        <div class="admin">
            <ErrorSummary fields=&[FIELDS] />
            <Done />
            {match page {
                AdminPage::Unclaimed(terms) => EitherOf3::A(view! { <Claim terms /> }),
                AdminPage::Taken => EitherOf3::B(view! { <Taken /> }),
                AdminPage::Mine(mine) => EitherOf3::C(view! { <Mine mine /> }),
            }}
        </div>
    })
}

/// The success message of the last action.
#[component]
fn Done() -> impl IntoView {
    let words = match query_part("done")?.as_str() {
        "claimed" => "You are the Deployment Admin.",
        "looked-up" => "The latest release was looked up.",
        "transferred" => "The role is transferred.",
        "backed-up" => "The backup is made.",
        "second-factor-on" => "The Deployment Admin needs a second factor from now on.",
        "second-factor-off" => "The Deployment Admin no longer needs a second factor.",
        "checks-on" => "New releases are checked for once an hour.",
        "checks-off" => "New releases are no longer checked for until you start an update.",
        _ => return None,
    };
    Some(view! {
        <p class="done" role="status">
            {words}
        </p>
    })
}

#[component]
fn Claim(terms: ClaimTerms) -> impl IntoView {
    let why_not = match terms {
        ClaimTerms::Reserved => {
            Some("Its operator has named the account that can take the role. It is not yours.")
        }
        ClaimTerms::Unconfirmed => Some(
            "Its operator has named your account. Confirm your e-mail first, by the link in the mail: your account page sends it again.",
        ),
        ClaimTerms::Open | ClaimTerms::WithCode => None,
    };
    if let Some(why_not) = why_not {
        return Either::Left(view! {
            <section class="admin-section">
                <p class="lead">"This installation has no Deployment Admin yet."</p>
                <p>{why_not}</p>
            </section>
        });
    }
    let code = (terms == ClaimTerms::WithCode).then(|| {
        view! {
            <TextField
                field=CLAIM_CODE
                hint="The server’s log shows it, and so does “farthing admin claim-code” on the server’s command line."
                autocomplete="off"
                required=true
            />
        }
    });
    Either::Right(view! {
        <section class="admin-section">
            <p class="lead">
                "This installation has no Deployment Admin yet. The Deployment Admin can update it and pass the role on."
            </p>
            <form class="admin-form" method="post" action="/admin/claim" novalidate>
                {code}
                <button class="button primary" type="submit">
                    "Become Deployment Admin"
                </button>
            </form>
        </section>
    })
}

#[component]
fn Taken() -> impl IntoView {
    view! {
        <section class="admin-section">
            <p class="lead">"Another user is the Deployment Admin"</p>
            <p>"Lost access? Run this on the server: " <code>"farthing admin set EMAIL"</code></p>
        </section>
    }
}

#[component]
fn Mine(mine: Box<Administration>) -> impl IntoView {
    let subjects = subjects(&mine);
    // What runs, or has failed so that only a backup helps, is shown at once.
    let urgent =
        mine.run.as_ref().filter(|run| run.status == RunState::Running || run.backup_to_restore.is_some());
    let current = asked_subject(&subjects).or(urgent.map(|_| "update"));
    let Administration { version, auto_check_updates, has_second_factor, needs_second_factor, .. } =
        *mine.clone();
    let Administration { run, run_state, previous, backups, log, log_of_people, settings, .. } =
        *mine.clone();
    let may_choose = run.as_ref().is_none_or(|run| run.backup_to_restore.is_none());
    let is_copied = backups.is_copied;
    // The type of the whole page would be too deep for the compiler.
    let screen = match current {
        None => view! { <Health of=*mine /> }.into_any(),
        Some("settings") => view! { <SettingsInForce settings /> }.into_any(),
        Some("version") => view! { <Version version auto_check_updates /> }.into_any(),
        Some("update") => view! { <Update version run run_state is_copied /> }.into_any(),
        Some("previous") => previous.map(|version| view! { <Previous version /> }).into_any(),
        Some("backups") => view! { <Backups backups may_choose /> }.into_any(),
        Some("second-factor") => view! { <SecondFactor has_second_factor needs_second_factor /> }.into_any(),
        Some("transfer") => view! { <Transfer /> }.into_any(),
        Some("log") => view! { <AuditLog id="log" title="Audit log" log /> }.into_any(),
        Some(_) => view! { <AuditLog id="log-of-people" title="Sign-ins and accounts" log=log_of_people /> }
            .into_any(),
    };
    view! {
        <Subjects path="/admin" subjects current>
            <div class="admin">{screen}</div>
        </Subjects>
    }
}

#[component]
fn Transfer() -> impl IntoView {
    view! {
        <section class="admin-section" aria-labelledby="transfer">
            <h2 id="transfer">"Transfer the role"</h2>
            <p>"The other user becomes the Deployment Admin at once. You lose access to this page, and only they can transfer the role back."</p>
            <form class="admin-form" method="post" action="/admin/transfer" novalidate>
                <TextField field=EMAIL kind="email" autocomplete="off" required=true />
                <CheckField
                    name="transferConfirmed"
                    label="Yes, transfer the role"
                    hint="Only the new Deployment Admin can give it back."
                    checked=false
                />
                <PasswordField field=TRANSFER_PASSWORD />
                <button class="button" type="submit">
                    "Transfer"
                </button>
            </form>
        </section>
    }
}
