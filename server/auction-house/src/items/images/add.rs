//! Adds images to an item.

use super::{ManagedItem, is_closed};
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::ids::{AuctionId, ImageId, ItemId, UserId};
use crate::images::workshop::{KeptImage, ReceivedImages, UPLOAD_FIELD};
use crate::images::{ALT_CHARS, IMAGES_MAX, Image, Images};
use crate::items::access::manage_item;
use platform::body::Body;
use platform::fields::{FieldError, Fields, Object};
use platform::http::problem::Problem;
use platform::http::upload::{Received, Upload};
use platform::idempotency::KeyedRequest;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why no image is added.
    pub enum AddImagesRefusal {
        Closed => codes::CLOSED, "The item is closed: its pictures stay as they are.";
        LimitReached => codes::LIMIT_REACHED, "An item has at most 10 pictures: remove one first.";
    }
}

/// Adds each file of the upload, of which there may be `files_max`, after the item's images. The request
/// waits until all are read: then either all are added, or none.
pub async fn add_images(
    context: &Context,
    images: &Images,
    (auction_id, item_id): (AuctionId, ItemId),
    user: UserId,
    upload: Upload,
    files_max: usize,
) -> Result<Created<Vec<Image>>, VerbError<AddImagesRefusal>> {
    let mut db = context.db.read().await?;
    let now = context.clock.now();
    let (auction, seen) = manage_item(&mut db, auction_id, item_id, user, now).await?;
    drop(db);
    let ReceivedImages { received, permit: _permit } = images.receive(user, upload, files_max).await?;
    check_parts(&received)?;
    let room = IMAGES_MAX.saturating_sub(seen.item.images.len());
    if received.keyed.is_none() && received.refusal.is_none() {
        // Checked again under the lock. A repeated request gets its first answer before that.
        check_state(is_closed(&auction, &seen, now), received.files.len(), room)?;
    }
    add_received(context, images, (auction_id, item_id), user, received).await
}

/// Adds each received file after the item's images.
pub async fn add_received(
    context: &Context,
    images: &Images,
    item: (AuctionId, ItemId),
    user: UserId,
    received: Received,
) -> Result<Created<Vec<Image>>, VerbError<AddImagesRefusal>> {
    let alt = alt_text(&received)?;
    let keyed = received.keyed.clone();
    let files = received.all_files()?;
    if files.is_empty() {
        return Err(Problem::fields(vec![FieldError::missing(UPLOAD_FIELD)]).into());
    }
    // Reads all before it keeps the first, so that a refused upload leaves no file.
    let mut renditions = Vec::new();
    for file in files {
        renditions.push(images.read_upload(user, file).await?);
    }
    refuse_in_pause(context, item, user).await?;
    let mut kept = Vec::new();
    for rendition in renditions {
        kept.push(image(context, &alt, images.keep_rendition(rendition).await?));
    }
    add_kept(context, item, user, kept, keyed).await
}

/// Refuses a request in a pause of writes before it leaves a file.
pub(super) async fn refuse_in_pause(
    context: &Context,
    (auction_id, item_id): (AuctionId, ItemId),
    user: UserId,
) -> Result<(), VerbError<AddImagesRefusal>> {
    ManagedItem::lock(context, auction_id, item_id, user).await?;
    Ok(())
}

/// A picture of the folder as a new image of an item.
pub(super) fn image(context: &Context, alt: &str, kept: KeptImage) -> Image {
    let KeptImage { content, width, height, tint } = kept;
    Image { id: ImageId::new(context.clock.now()), alt: alt.to_owned(), width, height, tint, content }
}

/// Adds images after those of the item.
pub(super) async fn add_kept(
    context: &Context,
    (auction_id, item_id): (AuctionId, ItemId),
    user: UserId,
    added: Vec<Image>,
    keyed: Option<KeyedRequest>,
) -> Result<Created<Vec<Image>>, VerbError<AddImagesRefusal>> {
    let mut item = ManagedItem::lock(context, auction_id, item_id, user).await?;
    let collection = format!("images/{item_id}");
    let body = UploadBody(keyed);
    let (_, creation) = Creation::read(&mut item.db, user, collection, body, item.now).await?;
    if let Some(earlier) = creation.replays::<ImageId>() {
        let images = item.seen.item.images;
        let first = images.iter().position(|image| image.id == earlier).ok_or(VerbError::NotFound)?;
        return Ok(Created::replayed(images.into_iter().skip(first).take(added.len()).collect()));
    }
    creation.check_key()?;
    let room = IMAGES_MAX.saturating_sub(item.seen.item.images.len());
    check_state(item.is_closed(), added.len(), room)?;
    if let Some(first) = added.first() {
        creation.record(&mut item.db, first.id, item.now).await?;
    }
    let all = item.seen.item.images.iter().chain(&added).cloned().collect();
    item.write(all).await?;
    item.commit(context).await?;
    Ok(Created::new(added))
}

/// Names of the parts beside the files.
const PARTS: [&str; 2] = ["alt", "idempotencyKey"];

fn check_parts(received: &Received) -> Result<(), Vec<FieldError>> {
    let unknown = received.texts.iter().filter(|(name, _)| !PARTS.contains(&name.as_str()));
    let errors: Vec<_> =
        unknown.map(|(name, _)| FieldError::new(name.clone(), "is not a known field")).collect();
    if errors.is_empty() || received.refusal.is_some() { Ok(()) } else { Err(errors) }
}

fn check_state(is_closed: bool, added: usize, room: usize) -> Result<(), AddImagesRefusal> {
    if is_closed {
        Err(AddImagesRefusal::Closed)
    } else if added > room {
        Err(AddImagesRefusal::LimitReached)
    } else {
        Ok(())
    }
}

fn alt_text(received: &Received) -> Result<String, Vec<FieldError>> {
    let mut object = Object::default();
    object.set("alt", &received.get("alt"));
    let mut fields = Fields::of(object);
    let alt = fields.line("alt", ALT_CHARS);
    fields.finish()?;
    Ok(alt)
}

/// The key of an upload, whose fields are read already.
struct UploadBody(Option<KeyedRequest>);

impl Body for UploadBody {
    fn read(self) -> Result<Object, Problem> {
        Ok(Object::default())
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        Ok(self.0.clone())
    }
}
