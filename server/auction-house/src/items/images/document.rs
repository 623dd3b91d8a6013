//! Images in responses.

use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::{AuctionId, ImageId, ItemId};
use crate::images::{Image, ImageSize};

/// A picture of an item, as JPEG in three sizes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ItemImage)]
pub struct ImageDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: ImageId,
    /// Alternative text; may be empty.
    pub alt: String,
    /// Pixels of the full size, 1600 at most.
    pub width: u32,
    pub height: u32,
    /// The mean colour, such as `#c8961e`, for the place of the picture until it is loaded.
    pub tint: String,
    /// Path of the small size: 400 pixels at most.
    pub thumbnail: String,
    /// Path of the size between: 800 pixels at most.
    pub medium: String,
    /// Path of the full size.
    pub full: String,
}

impl ImageDocument {
    pub fn of(auction_id: AuctionId, item_id: ItemId, image: Image) -> Self {
        let path = |size| image_path(auction_id, item_id, &image, size);
        let thumbnail = path(ImageSize::Thumbnail);
        let (medium, full) = (path(ImageSize::Medium), path(ImageSize::Full));
        let Image { id, alt, width, height, tint, .. } = image;
        Self { id, alt, width, height, tint: tint.to_string(), thumbnail, medium, full }
    }
}

/// The path under which an image is served. Its content never changes.
pub fn image_path(auction_id: AuctionId, item_id: ItemId, image: &Image, size: ImageSize) -> String {
    format!("/api/auctions/{auction_id}/items/{item_id}/images/{}/{}", image.id, size.as_str())
}

/// The images of an item.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ItemImages)]
pub struct ImagesDocument {
    pub images: Vec<ImageDocument>,
}

impl ImagesDocument {
    pub fn of(auction_id: AuctionId, item_id: ItemId, images: Vec<Image>) -> Self {
        let document = |image| ImageDocument::of(auction_id, item_id, image);
        Self { images: images.into_iter().map(document).collect() }
    }
}
