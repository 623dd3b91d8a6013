//! Pictures of items as page data.

use super::wire::wire_struct;

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
