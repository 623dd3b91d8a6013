//! Changes the alternative text of an image.

use super::ManagedItem;
use crate::codes;
use crate::context::Context;
use crate::ids::UserId;
use crate::images::{ALT_CHARS, Image};
use crate::path::ImagePath;
use platform::body::Body;
use platform::precondition::Precondition;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// The text that is read or shown instead of the image.
#[derive(Debug, Clone, Default)]
pub struct AltBody {
    alt: String,
}

impl Shape for AltBody {
    const NAME: &'static str = "Image";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .line("alt", ALT_CHARS, &mut self.alt)
            .about("What the picture shows, for those who can't see it.");
    }
}

refusals! {
    /// Why an image is not changed.
    pub enum ChangeImageRefusal {
        Closed => codes::CLOSED, "The item is closed: its pictures stay as they are.";
    }
}

pub async fn change_image(
    context: &Context,
    path: ImagePath,
    user: UserId,
    body: impl Body,
    if_match: &Precondition,
) -> Result<Image, VerbError<ChangeImageRefusal>> {
    let mut item = ManagedItem::lock(context, path.auction_id, path.item_id, user).await?;
    let mut images = item.seen.item.images.clone();
    let image = images.iter_mut().find(|image| image.id == path.image_id).ok_or(VerbError::NotFound)?;
    let had = AltBody { alt: image.alt.clone() };
    let AltBody { alt } = shape::parse(shape::write(&had).patched(body.read()?))?;
    if_match.check(item.seen.item.version)?;
    image.alt = alt;
    let changed = image.clone();
    if item.is_closed() {
        return Err(ChangeImageRefusal::Closed.into());
    }
    item.write(images).await?;
    item.commit(context).await?;
    Ok(changed)
}
