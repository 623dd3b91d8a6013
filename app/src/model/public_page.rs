//! The words for viewers who are no members, on pages of an auction that anyone may read.

use super::PictureFile;

/// A page of an auction that anyone may read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicPage {
    /// What search engines and link previews show.
    pub text: String,
    pub picture: Option<PictureFile>,
    /// Absent for a member, and for a signed-in viewer who may join at once.
    pub guest: Option<Guest>,
}

/// A viewer without membership, and the way in for that viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guest {
    pub is_signed_in: bool,
    /// A visitor without an account can register.
    pub may_register: bool,
    pub entrance: Entrance,
}

/// How a viewer becomes a member of an auction that is open to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entrance {
    /// With the first bid.
    FirstBid,
    /// With a secret link.
    Link,
    /// With an invitation.
    Invite,
    /// The auction takes no more members.
    Closed,
}
