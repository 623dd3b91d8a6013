//! `/account`: name, preferences, e-mail, password, sessions, and the end of the account.

use app::bounds::{MAX_USER_NAME_CHARS, MIN_PASSWORD_CHARS};
use app::components::error_summary::ErrorSummary;
use app::components::field::{Field, SelectField, TextField};
use app::components::moment::date_and_time;
use app::components::page_title::PageTitle;
use app::components::subjects::{Subject, Subjects, asked_subject};
use app::html::{Html, html};
use app::model::{Filled, Refused, SelectOption, Theme};
use app::request::query_part;
use leptos::either::Either;
use leptos::prelude::*;

use crate::pages::account::form::EMAIL;
use crate::pages::account::preferences;
use crate::pages::account::preferences::{PreferenceFacts, Preferences};
use crate::pages::account::register::NAME;
use crate::pages::account::second_factor::SecondFactor;
use crate::pages::account::sessions::{SessionFacts, Sessions};

/// The viewer's account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountPage {
    pub name: String,
    pub email: String,
    pub email_state: EmailState,
    /// When a mail to the e-mail could not be sent, in milliseconds since 1970.
    pub email_failed_at: Option<i64>,
    /// BCP 47.
    pub locale: Option<String>,
    pub preferences: PreferenceFacts,
    /// The languages and regions to choose from, the chosen one included.
    pub locales: Vec<SelectOption>,
    /// The time zones to choose from, the chosen one included.
    pub zones: Vec<SelectOption>,
    pub has_second_factor: bool,
    /// The session of the page first, then the last used ones.
    pub sessions: Vec<SessionFacts>,
}

/// Whether the viewer has confirmed the e-mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmailState {
    Confirmed,
    /// A mail with a link can be sent.
    Unconfirmed,
    /// This installation sends no mail.
    NotConfirmable,
    /// A managed user has no e-mail.
    Managed,
}

const TITLE: &str = "Your account";

const LOCALE: Field =
    Field::new("locale", "Language and region", "Choose a language and region of the list.")
        .called("the language");
const EMAIL_PASSWORD: Field = Field { name: "emailPassword", ..CURRENT_PASSWORD };
const CURRENT_PASSWORD: Field =
    Field::new("currentPassword", "Current password", "Enter your current password.");
const NEW_PASSWORD: Field = Field::new("newPassword", "New password", "Use at least 8 characters.");
const UPGRADE_PASSWORD: Field =
    Field { name: "upgradePassword", ..Field::new("password", "Password", "Use at least 8 characters.") };
const PIN: Field = Field::new("pin", "PIN", "Enter your PIN.");
const DELETE_PASSWORD: Field = Field::new("deletePassword", "Password", "Enter your password.");
const FIELDS: &[Field] = &[
    NAME,
    LOCALE,
    EMAIL,
    EMAIL_PASSWORD,
    CURRENT_PASSWORD,
    NEW_PASSWORD,
    UPGRADE_PASSWORD,
    PIN,
    DELETE_PASSWORD,
];

pub fn account_page(page: AccountPage) -> Html {
    let subjects = subjects(&page);
    let current = asked_subject(&subjects);
    let is_managed = page.email_state == EmailState::Managed;
    let AccountPage { name, email, email_state, locale, preferences, has_second_factor, sessions, .. } = page;
    let AccountPage { locales, zones, email_failed_at, .. } = page;
    let mut values = preferences::values(&preferences);
    for (field, value) in [("name", name), ("locale", locale.unwrap_or_default()), ("email", email)] {
        values.push((field.to_owned(), value));
    }
    fill(values);
    // The type of the whole page would be too deep for the compiler.
    let screen = match current {
        Some("profile") => Some(view! { <Profile locales /> }.into_any()),
        Some("preferences") => Some(view! { <Preferences preferences zones /> }.into_any()),
        Some("email") => Some(view! { <Email state=email_state failed_at=email_failed_at /> }.into_any()),
        Some("password") => Some(view! { <Password /> }.into_any()),
        Some("second-factor") => Some(view! { <SecondFactor is_on=has_second_factor /> }.into_any()),
        Some("sessions") => Some(view! { <Sessions sessions has_password=!is_managed /> }.into_any()),
        Some("language") => Some(view! { <Language locales /> }.into_any()),
        Some("upgrade") => Some(view! { <Upgrade /> }.into_any()),
        Some(_) => Some(view! { <Delete /> }.into_any()),
        None => None,
    };
    html(view! {
        <PageTitle text=TITLE />
        <header class="page-head">
            <h1>{TITLE}</h1>
        </header>
        <Subjects path="/account" subjects current>
            <div class="own-account">
                <ErrorSummary fields=&[FIELDS, preferences::FIELDS] />
                <Done />
                {screen}
            </div>
        </Subjects>
    })
}

/// The subjects, each with what is in force in words.
fn subjects(page: &AccountPage) -> Vec<Subject> {
    let AccountPage { name, email, email_state, locale, preferences, has_second_factor, sessions, .. } = page;
    let language = locale.as_ref().and_then(|locale| label_of(&page.locales, locale));
    let language = language.unwrap_or_else(|| "Language and region as this site’s".to_owned());
    let theme = match preferences.theme {
        Theme::System => "Colours as your device",
        Theme::Light => "Light colours",
        Theme::Dark => "Dark colours",
    };
    let zone = match preferences.time_zone.as_str() {
        "" => "times as your browser",
        zone => zone,
    };
    let kinds = preferences.kinds.len();
    let on = preferences.kinds.iter().filter(|kind| kind.notify).count();
    let confirmed = match email_state {
        EmailState::Confirmed => ", confirmed",
        EmailState::Unconfirmed => ", not confirmed yet",
        EmailState::NotConfirmable | EmailState::Managed => "",
    };
    let browsers = match sessions.len() {
        1 => "You are signed in in this browser only.".to_owned(),
        several => format!("You are signed in in {several} browsers."),
    };
    let preferences = Subject::new(
        "preferences",
        "Preferences",
        format!("{theme}, {zone}. You are told of {on} of {kinds} kinds of news."),
    );
    let browsers = Subject::new("sessions", "Browsers", browsers);
    if *email_state == EmailState::Managed {
        // The keeper of the group changes name and PIN.
        return vec![
            Subject::new("language", "Language", format!("{language}.")).with_forms(&["profile"]),
            preferences,
            browsers,
            Subject::new("upgrade", "Own account", "With an e-mail and a password."),
        ];
    }
    vec![
        Subject::new("profile", "Profile", format!("{name}. {language}.")),
        preferences,
        Subject::new("email", "E-mail", format!("{email}{confirmed}.")),
        Subject::new("password", "Password", "You sign in with it."),
        Subject::new(
            "second-factor",
            "Second factor",
            match has_second_factor {
                true => "On: signing in takes a code of your app, too.",
                false => "Off: your password alone signs you in.",
            },
        ),
        browsers,
        Subject::new("delete", "Delete", "Erase your name, e-mail and password."),
    ]
}

/// The label of the option with this value.
fn label_of(options: &[SelectOption], value: &str) -> Option<String> {
    options.iter().find(|option| option.value == value).map(|option| option.label.clone())
}

/// Fills in the forms. A refused form does not submit the fields of the others, which keep their values.
fn fill(values: Vec<(String, String)>) {
    if let Some(mut refused) = use_context::<Refused>() {
        let has_preferences = refused.value("theme").is_some();
        let is_missing =
            |name: &str| refused.value(name).is_none() && !(has_preferences && preferences::is_box(name));
        let missing: Vec<_> = values.iter().filter(|(name, _)| is_missing(name)).cloned().collect();
        refused.values.extend(missing);
        provide_context(refused);
    }
    provide_context(Filled(values));
}

/// The success message of the last action.
#[component]
fn Done() -> impl IntoView {
    if use_context::<Refused>().is_some() {
        return None;
    }
    let words = match query_part("done")?.as_str() {
        "profile" => "Your profile is saved.",
        "preferences" => "Your preferences are saved.",
        "email" => "Your e-mail is saved.",
        "link" => "A mail with a link is on its way. Open the link to confirm your e-mail.",
        "upgraded" => "You sign in with your e-mail and your password from now on.",
        "confirmed" => "Your e-mail is confirmed.",
        "password" => "Your new password is set. Every other browser is signed out.",
        "session" => "The browser is signed out.",
        "sessions" => "Every other browser is signed out.",
        _ => return None,
    };
    Some(view! {
        <p class="done" role="status">
            {words}
        </p>
    })
}

/// A part of the screen, with its title.
#[component]
fn Section(id: &'static str, title: &'static str, children: Children) -> impl IntoView {
    view! {
        <section aria-labelledby=id>
            <h2 id=id>{title}</h2>
            {children()}
        </section>
    }
}

/// The profile of a managed user.
#[component]
fn Language(locales: Vec<SelectOption>) -> impl IntoView {
    view! {
        <Section id="language" title="Language">
            <form method="post" action="/account/profile" novalidate>
                <SelectField field=LOCALE hint="How dates, numbers and money are written." options=locales />
                <button class="button primary" type="submit">
                    "Save language"
                </button>
            </form>
        </Section>
    }
}

/// Gives a managed user an e-mail and a password.
#[component]
fn Upgrade() -> impl IntoView {
    view! {
        <Section id="upgrade" title="An account of your own">
            <p>
                "The keeper of your group manages your account. With an e-mail and a password it is yours: your number, your bids and what you own stay, and the PIN no longer signs you in. The keeper is told, and can undo it for a day."
            </p>
            <form method="post" action="/account/upgrade" novalidate>
                <TextField field=EMAIL kind="email" autocomplete="email" required=true />
                <TextField
                    field=UPGRADE_PASSWORD
                    kind="password"
                    autocomplete="new-password"
                    hint=format!("At least {MIN_PASSWORD_CHARS} characters.")
                    required=true
                />
                <TextField
                    field=PIN
                    kind="password"
                    autocomplete="current-password"
                    inputmode="numeric"
                    maxlength=8
                    hint="Of your card, so that nobody else takes your account."
                    required=true
                    class="medium"
                />
                <button class="button primary" type="submit">
                    "Make it my account"
                </button>
            </form>
        </Section>
    }
}

#[component]
fn Profile(locales: Vec<SelectOption>) -> impl IntoView {
    view! {
        <Section id="profile" title="Profile">
            <form method="post" action="/account/profile" novalidate>
                <TextField
                    field=NAME
                    hint="Other bidders see it next to your bids."
                    autocomplete="name"
                    maxlength=MAX_USER_NAME_CHARS
                    required=true
                />
                <SelectField field=LOCALE hint="How dates, numbers and money are written." options=locales />
                <button class="button primary" type="submit">
                    "Save profile"
                </button>
            </form>
        </Section>
    }
}

#[component]
fn Email(state: EmailState, failed_at: Option<i64>) -> impl IntoView {
    let failure = failed_at.map(|at| {
        view! {
            <p class="notice">
                {format!("A mail to this e-mail could not be sent on {}. Check its spelling, or whether its mailbox takes mails.", date_and_time(at))}
            </p>
        }
    });
    let confirmation = match state {
        EmailState::Confirmed => Some(Either::Left(view! { <p>"You have confirmed this e-mail."</p> })),
        EmailState::Unconfirmed => Some(Either::Right(view! {
            <p class="notice">
                "You have not confirmed this e-mail. Until you open the link in the mail, invitations to it are not shown here, and nobody can give you a balance by it."
            </p>
            <form method="post" action="/account/email/link">
                <button class="button" type="submit">
                    "Send the link again"
                </button>
            </form>
        })),
        EmailState::NotConfirmable | EmailState::Managed => None,
    };
    view! {
        <Section id="email" title="E-mail">
            <p>"You sign in with it, and other bidders never see it. A new e-mail signs you out in every other browser."</p>
            {failure}
            {confirmation}
            <form method="post" action="/account/email" novalidate>
                <TextField field=EMAIL kind="email" autocomplete="email" required=true />
                <TextField
                    field=EMAIL_PASSWORD
                    kind="password"
                    autocomplete="current-password"
                    required=true
                />
                <button class="button primary" type="submit">
                    "Change e-mail"
                </button>
            </form>
        </Section>
    }
}

#[component]
fn Password() -> impl IntoView {
    view! {
        <Section id="password" title="Password">
            <p>"A new password signs you out in every other browser."</p>
            <form method="post" action="/account/password" novalidate>
                <TextField
                    field=CURRENT_PASSWORD
                    kind="password"
                    autocomplete="current-password"
                    required=true
                />
                <TextField
                    field=NEW_PASSWORD
                    hint=format!("At least {MIN_PASSWORD_CHARS} characters.")
                    kind="password"
                    autocomplete="new-password"
                    required=true
                />
                <button class="button primary" type="submit">
                    "Change password"
                </button>
            </form>
        </Section>
    }
}

#[component]
fn Delete() -> impl IntoView {
    view! {
        <Section id="delete" title="Delete my account">
            <p>
                "Your name, e-mail and password are erased, and you are signed out everywhere. Your bids and items stay, with “deleted user” as the name. This can’t be undone."
            </p>
            <p>"First hand over or delete the auctions that you own. While you hold the highest bid on an open item, or are the Deployment Admin, your account can’t be deleted."</p>
            <form class="danger" method="post" action="/account/delete" novalidate>
                <TextField
                    field=DELETE_PASSWORD
                    kind="password"
                    autocomplete="current-password"
                    required=true
                />
                <button class="button" type="submit">
                    "Delete my account"
                </button>
            </form>
        </Section>
    }
}
