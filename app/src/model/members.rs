//! The data of the page of an auction's members, and of the pages to which links and invites lead.

use super::{Listing, PictureFile, RenderedText, Role};

/// An auction's members and invites, as one member may see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MembersPage {
    pub auction_id: String,
    pub auction_name: String,
    pub is_closed: bool,
    pub members: Listing<MemberEntry>,
    pub may_invite: bool,
    /// The viewer manages the members, invites with any role and passes on the link.
    pub may_manage: bool,
    /// The viewer may bid for others and hammer.
    pub runs_hall: bool,
    pub may_transfer: bool,
    /// Every invite, or those that the viewer has sent.
    pub invites: Vec<InviteEntry>,
    pub link: Option<JoinLink>,
    /// This installation sends mail.
    pub sends_mail: bool,
}

/// A member of an auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberEntry {
    pub id: String,
    pub name: String,
    pub role: Role,
    pub joined_at: i64,
    pub is_viewer: bool,
    /// The viewer may change the role and remove the member.
    pub is_managed: bool,
    /// Whether the member is present. None where the viewer does not record it.
    pub present: Option<bool>,
}

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

/// The link with which users join an auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinLink {
    pub url: String,
    /// Absent if the address is too long for a QR code.
    pub qr: Option<QrCode>,
}

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

/// What a link or an invite leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub auction_id: String,
    pub auction: AuctionPreview,
    pub description: RenderedText,
    /// Name of the user who invites: the sender of the invite, or the owner of the auction.
    pub host: Option<String>,
    pub role: Role,
    /// The e-mail that the invite is for. Absent for a link.
    pub email: Option<String>,
    /// Pictures of the first lots.
    pub pictures: Vec<PictureFile>,
    /// Starting balance of a new member: `300 Tickets`.
    pub grant: Option<String>,
    /// Id of the lot beside whose code the link stands.
    pub item: Option<String>,
    pub state: InvitationState,
}

/// Whether the viewer may accept an invitation, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvitationState {
    SignedOut,
    MayJoin,
    Member,
    Removed,
    OtherEmail,
    Closed,
}
