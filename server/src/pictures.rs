//! The pictures that a copy of the database needs: where the sale and the backups of the installation meet.

use std::path::PathBuf;

use auction_house::images::{Content, ImageSize};
use auction_house::items::images::collect::referenced;
use futures::future::BoxFuture;
use installation::needed_images::{NeededImages, NeededImagesError};
use platform::db::copy;

/// The files of the images of all items in the copy.
pub fn needed_images(path: PathBuf) -> BoxFuture<'static, Result<NeededImages, NeededImagesError>> {
    Box::pin(async move {
        let contents = referenced(&mut copy::read(&path).await?).await?;
        let files = |content: &Content| ImageSize::ALL.map(|size| content.file_name(size));
        let names = contents.iter().flat_map(files).collect();
        Ok(NeededImages { names, is_whole: Content::is_whole_file })
    })
}
