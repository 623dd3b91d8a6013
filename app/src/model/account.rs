//! The data of the page of one's own account.

use super::{QrCode, SelectOption};

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

/// The second factor of the viewer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecondFactorPage {
    Off,
    /// It is on once a code is confirmed.
    Begun(SecondFactorSetup),
    On {
        /// The number of those that were not used.
        recovery_codes: i64,
    },
}

/// Secret for an app that shows codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondFactorSetup {
    /// In base32.
    pub secret: String,
    /// The secret as an address that opens the app.
    pub uri: String,
    /// The address as a QR code.
    pub qr: Option<QrCode>,
}

/// What the viewer prefers.
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

/// The colours of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    System,
    Light,
    Dark,
}

impl Theme {
    pub fn value(self) -> &'static str {
        match self {
            Self::System => "SYSTEM",
            Self::Light => "LIGHT",
            Self::Dark => "DARK",
        }
    }
}

/// A browser in which the viewer is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFacts {
    pub id: String,
    /// The browser and its system in words.
    pub client: String,
    /// Where the viewer signed in.
    pub address: String,
    pub created_at: i64,
    /// Up to an hour before the last request.
    pub last_used_at: i64,
    pub is_current: bool,
}
