//! The images of a new item, whose form has them beside its fields.

use super::add::{AddImagesRefusal, add_kept, image, refuse_in_pause};
use crate::access::Action;
use crate::auctions::access::authorize;
use crate::context::Context;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::images::workshop::ReceivedImages;
use crate::images::{IMAGES_MAX, Images};
use crate::items::create::CreateItemRefusal;
use platform::http::problem::Problem;
use platform::http::upload::Upload;
use platform::verb::VerbError;

/// A file of the form that is no image of the item.
#[derive(Debug)]
pub struct RefusedImage {
    /// Its place among the files, from 1 on.
    pub number: usize,
    /// The name that the client gave it.
    pub name: String,
    pub problem: Problem,
}

/// Receives the form of a new item with its files, from a user who may create items.
pub async fn receive_new_item(
    context: &Context,
    images: &Images,
    auction_id: AuctionId,
    user: UserId,
    upload: Upload,
) -> Result<ReceivedImages, VerbError<CreateItemRefusal>> {
    let mut db = context.db.read().await?;
    authorize(&mut db, auction_id, user, context.clock.now()).await?.require(Action::AddItems)?;
    drop(db);
    Ok(images.receive_fields(user, upload, IMAGES_MAX).await?)
}

/// Adds the files of the form to the item that it has created. A file that is refused keeps no other one from
/// being added.
pub async fn add_to_new_item(
    context: &Context,
    images: &Images,
    item: (AuctionId, ItemId),
    user: UserId,
    form: ReceivedImages,
) -> Result<Vec<RefusedImage>, VerbError<AddImagesRefusal>> {
    let ReceivedImages { received, permit: _permit } = form;
    if received.files.iter().any(|file| file.content.is_ok()) {
        refuse_in_pause(context, item, user).await?;
    }
    let (mut kept, mut refused) = (Vec::new(), Vec::new());
    for (file, number) in received.files.into_iter().zip(1..) {
        let content = match file.content {
            Ok(content) => images.keep(user, content).await,
            Err(problem) => Err(problem),
        };
        match content {
            Ok(picture) => kept.push(image(context, "", picture)),
            Err(problem) => refused.push(RefusedImage { number, name: file.name, problem }),
        }
    }
    if !kept.is_empty() {
        add_kept(context, item, user, kept, received.keyed).await?;
    }
    Ok(refused)
}
