//! The data of the page of an auction's members, and of the pages to which links and invites lead.

/// A QR code, to be drawn in a square whose side has `size` modules, the quiet zone included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrCode {
    pub size: usize,
    /// The dark modules, as the data of an SVG path that is stroked one module wide.
    pub path: String,
}

/// An auction as a user sees it before they join or sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionPreview {
    pub name: String,
    pub item_count: u64,
    /// Absent once the auction is closed.
    pub ends_at: Option<i64>,
}
