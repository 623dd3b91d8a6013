//! The preferences on the page of one's own account.

use app::components::field::{Field, SelectField, field_value};
use app::model::{SelectOption, Theme};
use leptos::prelude::*;

/// Preferences of the viewer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreferenceFacts {
    /// IANA name. Empty: that of the browser.
    pub time_zone: String,
    pub theme: Theme,
    pub kinds: Vec<KindPreference>,
    /// This installation sends mail.
    pub sends_mail: bool,
}

/// Whether the viewer gets one kind of notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindPreference {
    pub kind: &'static str,
    pub notify: bool,
    pub mail: bool,
}

const TIME_ZONE: Field = Field::new("timeZone", "Time zone", "Choose a time zone of the list.");
const THEME: Field = Field::new("theme", "Theme", "Choose a theme.");
pub(super) const FIELDS: &[Field] = &[TIME_ZONE, THEME];

/// Fields that only a checked box submits: a refused form has no value for an unchecked one.
pub(super) fn is_box(name: &str) -> bool {
    name.starts_with("notify.") || name.starts_with("mail.")
}

/// The fields with their values.
pub(super) fn values(preferences: &PreferenceFacts) -> Vec<(String, String)> {
    let PreferenceFacts { time_zone, theme, kinds, .. } = preferences;
    let mut values =
        vec![("timeZone".to_owned(), time_zone.clone()), ("theme".to_owned(), theme.value().to_owned())];
    for KindPreference { kind, notify, mail } in kinds {
        values.extend(notify.then(|| (format!("notify.{kind}"), "true".to_owned())));
        values.extend(mail.then(|| (format!("mail.{kind}"), "true".to_owned())));
    }
    values
}

/// What a kind reports, as its row says it.
pub fn kind_words(kind: &str) -> &'static str {
    match kind {
        "OUTBID" => "I am outbid",
        "LEADING_AGAIN" => "A withdrawal lets me lead again",
        "WON" => "I have won an item",
        "SOLD" => "My item is sold",
        "UNSOLD" => "My item closes without a sale",
        "ENDS_SOON" => "An item that I watch or bid on ends within the hour",
        "NEW_ITEM" => "There is a new item",
        "INVITED" => "I am invited to an auction",
        "ITEM_CHANGED" => "An item that I watch or bid on is changed",
        "BALANCE" => "Someone changes my balance",
        "NEW_BROWSER" => "My account is used in a new browser",
        "UPGRADED" => "A person of a group that I keep gets an account of their own",
        _ => "Other notifications",
    }
}

#[component]
pub fn Preferences(preferences: PreferenceFacts, zones: Vec<SelectOption>) -> impl IntoView {
    let option =
        |theme: Theme, label: &str| SelectOption { value: theme.value().to_owned(), label: label.to_owned() };
    let themes = vec![
        option(Theme::System, "As my device"),
        option(Theme::Light, "Light"),
        option(Theme::Dark, "Dark"),
    ];
    let PreferenceFacts { kinds, sends_mail, .. } = preferences;
    let rows = kinds.into_iter().map(|preference| view! { <KindRow preference sends_mail /> });
    let rows = rows.collect::<Vec<_>>();
    let mail_head = sends_mail.then(|| view! { <th scope="col">"By e-mail"</th> });
    view! {
        <section aria-labelledby="preferences">
            <h2 id="preferences">"Preferences"</h2>
            <form method="post" action="/account/preferences" novalidate>
                <SelectField field=TIME_ZONE options=zones />
                <SelectField field=THEME options=themes />
                <table class="kinds">
                    <caption>"Notify me when"</caption>
                    <thead>
                        <tr>
                            <td></td>
                            <th scope="col">"On this site"</th>
                            {mail_head}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
                {(!sends_mail).then(|| view! { <p class="hint">"This site sends no mail."</p> })}
                <button class="button primary" type="submit">
                    "Save preferences"
                </button>
            </form>
        </section>
    }
}

#[component]
fn KindRow(preference: KindPreference, sends_mail: bool) -> impl IntoView {
    let KindPreference { kind, .. } = preference;
    let words = kind_words(kind);
    let mail = sends_mail.then(|| {
        view! {
            <td>
                <KindBox name=format!("mail.{kind}") label=format!("{words}: by e-mail") />
            </td>
        }
    });
    view! {
        <tr>
            <th scope="row">{words}</th>
            <td>
                <KindBox name=format!("notify.{kind}") label=format!("{words}: on this site") />
            </td>
            {mail}
        </tr>
    }
}

#[component]
fn KindBox(name: String, label: String) -> impl IntoView {
    let checked = field_value(&name).is_some();
    view! { <input type="checkbox" name=name value="true" aria-label=label checked=checked /> }
}
