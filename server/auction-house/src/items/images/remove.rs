//! Removes an image from an item. The collection removes its files if no other item has them.

use super::ManagedItem;
use super::change::ChangeImageRefusal;
use crate::context::Context;
use crate::ids::UserId;
use crate::path::ImagePath;
use platform::precondition::Precondition;
use platform::verb::VerbError;

pub async fn remove_image(
    context: &Context,
    path: ImagePath,
    user: UserId,
    if_match: &Precondition,
) -> Result<(), VerbError<ChangeImageRefusal>> {
    let mut item = ManagedItem::lock(context, path.auction_id, path.item_id, user).await?;
    let mut images = item.seen.item.images.clone();
    let at = images.iter().position(|image| image.id == path.image_id).ok_or(VerbError::NotFound)?;
    if_match.check(item.seen.item.version)?;
    images.remove(at);
    if item.is_closed() {
        return Err(ChangeImageRefusal::Closed.into());
    }
    item.write(images).await?;
    item.commit(context).await?;
    Ok(())
}
