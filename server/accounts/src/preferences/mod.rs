//! What a user prefers: the time zone and the theme of pages, and which notifications and mails to get (SPEC,
//! section 13).

pub mod kind;

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use utoipa::ToSchema;

use crate::preferences::kind::KindSet;
use platform::text_enum;
use platform::zone::Zone;

text_enum! {
    /// The colours of pages.
    #[derive(Default)]
    pub enum Theme {
        /// The theme that the browser prefers.
        #[default]
        System = "SYSTEM",
        Light = "LIGHT",
        Dark = "DARK",
    }
}

/// The IANA name of a time zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ZoneName(String);

/// The text does not name a time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the IANA name of a time zone, such as Europe/Berlin")]
pub struct NoZone;

impl ZoneName {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn zone(&self) -> Zone {
        Zone::named(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for ZoneName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ZoneName {
    type Err = NoZone;

    fn from_str(text: &str) -> Result<Self, NoZone> {
        Zone::named(text.trim()).map(|zone| Self(zone.name().to_owned())).ok_or(NoZone)
    }
}

/// The preferences of a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Preferences {
    /// An IANA name. Null: that of the browser.
    #[schema(value_type = Option<String>)]
    pub time_zone: Option<ZoneName>,
    pub theme: Theme,
    /// Whether the user gets notifications of each kind.
    #[schema(value_type = std::collections::BTreeMap<String, bool>)]
    pub notify: KindSet,
    /// Whether they are mailed, too.
    #[schema(value_type = std::collections::BTreeMap<String, bool>)]
    pub mail: KindSet,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { time_zone: None, theme: Theme::default(), notify: KindSet::NOTIFIED, mail: KindSet::MAILED }
    }
}
