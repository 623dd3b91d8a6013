//! The page that shares an auction, and its prints.

use super::{AuctionAccess, JoinLink, Listing, Money, PictureFile, QrCode, RenderedText};

/// The page with the way into an auction, and its prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharePage {
    pub auction_id: String,
    pub auction_name: String,
    pub access: AuctionAccess,
    pub way_in: WayIn,
    /// The address at which anyone may read the auction, unless it is the way in.
    pub reading: Option<JoinLink>,
    pub print: Print,
}

/// How others come into an auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WayIn {
    /// Every user may join: the link is the address of the auction.
    Open(JoinLink),
    /// Like `Open`, and anyone may read it.
    Public(JoinLink),
    /// The link joins its holder.
    Secret(JoinLink),
    /// The auction has a link, which its managers pass on.
    AskManagers,
    /// The viewer invites by e-mail.
    Invite,
    /// The viewer may not invite.
    Private,
    /// The auction takes no more members.
    Closed,
}

impl WayIn {
    /// The link that the viewer passes on.
    pub fn link(&self) -> Option<&JoinLink> {
        match self {
            Self::Open(link) | Self::Public(link) | Self::Secret(link) => Some(link),
            Self::AskManagers | Self::Invite | Self::Private | Self::Closed => None,
        }
    }
}

/// The print that the page shows below the way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Print {
    /// The choice of what to print.
    Choice,
    Poster(Poster),
    Catalogue(Listing<PrintedLot>),
    /// A sheet for each lot, on which people bid with a pen.
    BidSheets(Listing<PrintedLot>),
    /// A small label for each lot, to be stuck on it.
    Labels(Labels),
    /// The label and the sheet of one lot.
    Lot(Box<PrintedLot>),
}

/// Labels of lots, and the sheets that they are printed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labels {
    pub lots: Listing<PrintedLot>,
    pub sheet: LabelSheet,
    /// Place of the first label on its sheet, from 1: those before it are used already.
    pub first: usize,
}

/// A sheet of labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LabelSheet {
    /// Plain A4, whose labels are cut out.
    #[default]
    Plain,
    /// A4 with 21 labels of 63.5 × 38.1 mm.
    A4,
    /// Letter with 30 labels of 66.7 × 25.4 mm.
    Letter,
}

impl LabelSheet {
    pub const ALL: [Self; 3] = [Self::Plain, Self::A4, Self::Letter];

    /// Its value in addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::A4 => "63x38",
            Self::Letter => "67x25",
        }
    }

    /// Labels of a sheet.
    pub fn places(self) -> usize {
        match self {
            Self::Plain => 24,
            Self::A4 => 21,
            Self::Letter => 30,
        }
    }
}

/// An auction on a poster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Poster {
    pub description: RenderedText,
    pub item_count: u64,
    pub ends_at: Option<i64>,
    /// Starting balance of a new member: `300 Tickets`.
    pub grant: Option<String>,
    pub pictures: Vec<PictureFile>,
}

/// A lot in print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedLot {
    pub lot_number: String,
    pub name: String,
    /// The beginning of the description, as plain text.
    pub description: String,
    pub picture: Option<PictureFile>,
    pub estimate: Option<String>,
    /// The least first bid.
    pub minimum: Option<Money>,
    pub ends_at: Option<i64>,
    /// Leads to the lot.
    pub qr: Option<QrCode>,
}
