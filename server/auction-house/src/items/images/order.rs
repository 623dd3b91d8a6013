//! Orders the images of an item: the first one stands for the item in lists.

use super::ManagedItem;
use super::change::ChangeImageRefusal;
use crate::context::Context;
use crate::ids::{AuctionId, ImageId, ItemId, UserId};
use crate::images::{IMAGES_MAX, Image};
use platform::body::Body;
use platform::fields::{FieldError, Fields};
use platform::precondition::Precondition;
use platform::verb::VerbError;

/// Puts the images into the order of the body, which names each of them once.
pub async fn order_images(
    context: &Context,
    (auction_id, item_id): (AuctionId, ItemId),
    user: UserId,
    body: impl Body,
    if_match: &Precondition,
) -> Result<Vec<Image>, VerbError<ChangeImageRefusal>> {
    let mut item = ManagedItem::lock(context, auction_id, item_id, user).await?;
    let mut fields = Fields::of(body.read()?);
    let order: Vec<ImageId> = fields.required("order").unwrap_or_default();
    fields.finish()?;
    let ordered = in_order(&item.seen.item.images, &order)?;
    if_match.check(item.seen.item.version)?;
    if item.is_closed() {
        return Err(ChangeImageRefusal::Closed.into());
    }
    item.write(ordered.clone()).await?;
    item.commit(context).await?;
    Ok(ordered)
}

fn in_order(images: &[Image], order: &[ImageId]) -> Result<Vec<Image>, Vec<FieldError>> {
    let wrong = || vec![FieldError::new("order", "must name every image of the item once")];
    if order.len() != images.len() || order.len() > IMAGES_MAX {
        return Err(wrong());
    }
    let mut left = images.to_vec();
    let mut take = |id: &ImageId| Some(left.swap_remove(left.iter().position(|image| image.id == *id)?));
    order.iter().map(|id| take(id).ok_or_else(wrong)).collect()
}
