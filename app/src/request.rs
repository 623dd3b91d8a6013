//! The request whose page is rendered, for the components that depend on it: header, links, moments and
//! forms.

use std::sync::Arc;

use leptos::prelude::*;

use crate::assets::Assets;
use crate::fragments::Fragments;
use crate::model::{LocalMoment, Pause, Viewer};

/// A request for a page, as components see it. [`render`](crate::render::render) provides it as context.
pub struct RequestContext {
    pub assets: Arc<Assets>,
    /// Parts of the pages of earlier requests.
    pub fragments: Arc<Fragments>,
    /// The signed-in user.
    pub viewer: Option<Viewer>,
    /// The server's clock: milliseconds since 1970, in UTC.
    pub now: i64,
    pub zone: Arc<ViewerZone>,
    /// Numbers have a decimal comma in the viewer's locale.
    pub has_decimal_comma: bool,
    /// Address of the page without its query.
    pub path: String,
    /// The query of the address, without the question mark.
    pub search: String,
    /// Parameters of the query, decoded.
    pub query: Vec<(String, String)>,
    /// The address of this site without a slash at its end, as the viewer knows it.
    pub site: String,
    /// A new idempotency key, for the form of the page that creates something.
    pub new_key: String,
    /// Version of a newer release, if the viewer may update to it.
    pub newer_release: Option<String>,
    /// Whether an update pauses bidding, or will do so.
    pub pause: Option<Pause>,
}

/// The time zone in which the viewer sees moments, given as milliseconds since 1970. All zones of one name
/// write a moment alike.
pub struct ViewerZone {
    /// IANA name. UTC if the browser has not sent its own zone.
    pub name: String,
    /// The user has chosen it, whatever the zone of the browser is.
    pub is_preferred: bool,
    /// Writes a moment. The text names the zone if it is not the browser's own.
    pub date_and_time: Box<dyn Fn(i64) -> String + Send + Sync>,
    /// Writes a moment as the value of a field for a date and a time.
    pub local: Box<dyn Fn(i64) -> LocalMoment + Send + Sync>,
}

impl PartialEq for ViewerZone {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for ViewerZone {}

impl RequestContext {
    /// A parameter of the query. An empty one is absent; of several the last one counts.
    pub fn query(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().rev().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// Whether the viewer may make auctions, balances and groups.
    pub fn may_make(&self) -> bool {
        self.viewer.as_ref().is_some_and(|viewer| !viewer.is_managed)
    }
}

/// The request whose page is rendered.
pub fn request() -> Arc<RequestContext> {
    expect_context()
}

/// A parameter of the query of the page's address.
pub fn query_part(name: &str) -> Option<String> {
    request().query(name).map(str::to_owned)
}

/// All parameters of the query: the fields of a form that requests its page again.
pub fn query_fields() -> Vec<(String, String)> {
    request().query.clone()
}
