//! One's own account as page data.

use accounts::User;
use accounts::ids::SessionId;
use accounts::preferences::{Preferences, ZoneName};
use accounts::session::{Session, SignedIn};
use auction_house::notifications::NotificationKind;
use platform::time::Moment;

use super::choices::{locales, zones};
use super::preferences::{KindPreference, PreferenceFacts};
use super::sessions::SessionFacts;
use super::show::view::{AccountPage, EmailState};
use crate::pages::header::theme;

/// Longest text that is shown of an unknown client.
const CLIENT_CHARS: usize = 60;

/// Parts of user agents with the browsers that send them. Most browsers also send the parts of those further
/// down.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Parts of user agents with the systems that they name. Android also names Linux, and iPhones name macOS.
const SYSTEMS: &[(&str, &str)] = &[
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

pub fn page(user: &SignedIn, sessions: Vec<Session>, sends_mail: bool) -> AccountPage {
    let mut sessions: Vec<_> = sessions.into_iter().map(|session| facts(session, user.session)).collect();
    sessions.sort_by_key(|session| !session.is_current);
    let User { name, email, email_verified_at, email_failed_at, .. } = user.user.clone();
    let User { locale, preferences, has_second_factor, .. } = user.user.clone();
    let email_state = match (email_verified_at, sends_mail) {
        _ if email.is_none() => EmailState::Managed,
        (Some(_), _) => EmailState::Confirmed,
        (None, true) => EmailState::Unconfirmed,
        (None, false) => EmailState::NotConfirmable,
    };
    // Nobody mails a managed user.
    let preferences = preference_facts(&preferences, sends_mail && email_state != EmailState::Managed);
    AccountPage {
        locales: locales(locale.as_deref()),
        zones: zones(&preferences.time_zone),
        name,
        email: email.unwrap_or_default(),
        email_state,
        email_failed_at: email_failed_at.map(Moment::millis),
        locale,
        preferences,
        has_second_factor,
        sessions,
    }
}

fn preference_facts(preferences: &Preferences, sends_mail: bool) -> PreferenceFacts {
    let kind = |kind: NotificationKind| KindPreference {
        kind: kind.as_str(),
        notify: preferences.notify.contains(kind),
        mail: preferences.mail.contains(kind),
    };
    PreferenceFacts {
        time_zone: preferences.time_zone.as_ref().map(ZoneName::to_string).unwrap_or_default(),
        theme: theme(preferences.theme),
        kinds: NotificationKind::ALL.into_iter().map(kind).collect(),
        sends_mail,
    }
}

fn facts(session: Session, current: SessionId) -> SessionFacts {
    let Session { id, created_at, last_used_at, address, user_agent } = session;
    SessionFacts {
        id: id.to_string(),
        client: user_agent.as_deref().map_or_else(|| "Unknown browser".to_owned(), client),
        address,
        created_at: created_at.millis(),
        last_used_at: last_used_at.millis(),
        is_current: id == current,
    }
}

/// Browser and system in words, or the beginning of the user agent if the browser is not known.
fn client(user_agent: &str) -> String {
    let find = |parts: &[(&str, &'static str)]| {
        parts.iter().find(|(part, _)| user_agent.contains(part)).map(|(_, name)| *name)
    };
    match (find(BROWSERS), find(SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, _) => shortened(user_agent),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(CLIENT_CHARS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::client;

    #[test]
    fn a_client_is_named_in_words() {
        for (user_agent, words) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/126.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            ("Firefox/1.0", "Firefox"),
            ("curl/8.5.0", "curl/8.5.0"),
        ] {
            assert_eq!(client(user_agent), words);
        }
        let long = client(&"robot ".repeat(40));
        assert!(long.chars().count() <= 61 && long.ends_with("robot…"), "{long}");
    }
}
