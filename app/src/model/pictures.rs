//! Pictures of items as page data.

use super::wire::wire_struct;

/// A picture of an item, in three sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub id: String,
    /// Empty if nobody has described it.
    pub alt: String,
    pub full: PictureFile,
    pub medium: PictureFile,
    pub thumbnail: PictureFile,
}

wire_struct! {
    /// A picture in one size, in pixels.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct PictureFile {
        pub src: String,
        pub width: u32,
        pub height: u32,
        /// The mean colour, as `#c8961e`, for the place of the picture until it is loaded.
        pub tint: String,
    }
}

/// The page on which the pictures of an item are added, described, ordered and removed.
#[cfg(feature = "ssr")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PicturesPage {
    pub auction_id: String,
    pub auction_name: String,
    pub item_id: String,
    pub item_name: String,
    pub pictures: Vec<Picture>,
    /// The item is closed: its pictures stay as they are.
    pub closed: bool,
    /// How many more the item may have.
    pub room: usize,
}
