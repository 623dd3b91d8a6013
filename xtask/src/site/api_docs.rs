//! Swagger UI, which shows the API's document: the two of its files that the page loads.

use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;

use super::{Asset, compression, hash, write_if_changed};
use crate::path_context::PathContext;

const FILES: [&str; 2] = ["swagger-ui-bundle.js", "swagger-ui.css"];

/// Writes the files into `folder`, unless they are those of the same archive.
pub fn write(folder: &Path) -> Result<()> {
    let version = hash(&[SWAGGER_UI_VENDORED]);
    let stamp = folder.join("version");
    if fs::read_to_string(&stamp).is_ok_and(|written| written == version) {
        return Ok(());
    }
    // An older version's files would be taken for these.
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).on_path("create", folder)?;
    let assets = extract().context("cannot read the archive of Swagger UI")?;
    ensure!(assets.len() == FILES.len(), "the archive of Swagger UI lacks one of {FILES:?}");
    for asset in assets {
        compression::write(folder, &asset)?;
    }
    write_if_changed(&stamp, version.as_bytes())
}

fn extract() -> Result<Vec<Asset>> {
    let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED))?;
    let mut assets = Vec::new();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at)?;
        let path = file.name()?.into_owned();
        // `swagger-ui-VERSION/dist/NAME`; deeper folders have other builds of the same names.
        let name = path.split_once("/dist/").map(|(_, name)| name).filter(|_| path.matches('/').count() == 2);
        let Some(name) = FILES.into_iter().find(|wanted| name == Some(*wanted)) else { continue };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        assets.push(Asset { name: name.to_owned(), bytes });
    }
    Ok(assets)
}
