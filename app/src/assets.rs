//! The built files that pages link to.

use crate::bundles::BundleNames;

/// Addresses of the built files that every page links to. Their names carry a hash of their contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assets {
    pub css: String,
    pub favicon: String,
    /// The font of headings and amounts.
    pub font: String,
    /// The icon as a bitmap of 512 pixels, for devices and link previews.
    pub icon: String,
    pub web_manifest: String,
    /// What every page does without an island, such as storing the browser's time zone in a cookie.
    pub page_script: String,
    /// Sends pictures one by one.
    pub pictures_script: String,
    /// Makes pictures smaller that are too large. Other scripts load it.
    pub reduce_script: String,
    /// Shows the pictures of an item on the whole screen.
    pub gallery_script: String,
    /// Saves the rows of many lots.
    pub lots_script: String,
    /// Moves lots in the running order.
    pub order_script: String,
    /// Skips and holds lots without leaving the page of a clerk.
    pub next_script: String,
    /// Answers and marks at the table without leaving the page.
    pub checkout_script: String,
    /// Opens the streams of the page, and keeps the bell current.
    pub live_script: String,
    /// Keeps what a clerk has entered until the server has answered it.
    pub outbox_script: String,
    /// Says on other pages what of it is not sent yet.
    pub unsent_script: String,
    /// The service worker of a clerk's page, which keeps that page.
    pub worker_script: String,
    pub bundles: BundleNames,
}
