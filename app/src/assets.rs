//! The built files that pages link to. The manifest of the site has their addresses.

use std::collections::HashMap;

use serde::Deserialize;

use crate::bundles::BundleNames;

/// Declares the files with the names of their sources.
macro_rules! built_files {
    ($($(#[$doc:meta])* $file:ident = $name:literal,)*) => {
        /// A file that pages link to, apart from bundles.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum BuiltFile {
            $($(#[$doc])* $file,)*
        }

        impl BuiltFile {
            pub const ALL: &[Self] = &[$(Self::$file),*];

            /// Name of the file without the hash of its contents, as in the manifest.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$file => $name,)*
                }
            }
        }
    };
}

built_files! {
    Css = "farthing.css",
    Favicon = "favicon.svg",
    /// The font of headings and amounts.
    Font = "serif.woff2",
    /// The icon as a bitmap of 512 pixels, for devices and link previews.
    Icon = "icon.png",
    WebManifest = "manifest.webmanifest",
    /// Does on every page what needs no island, such as storing the browser's time zone in a cookie.
    PageScript = "page.js",
    /// Fills in the form of a number with the address of a card.
    GoScript = "go.js",
    /// Says beside a field for a date and a time how far away it is.
    FromNowScript = "from_now.js",
    /// Fills in a guess of the plural of a name.
    PluralsScript = "plurals.js",
    /// Sends pictures one by one.
    PicturesScript = "pictures.js",
    /// Shows the pictures of an item on the whole screen.
    GalleryScript = "gallery.js",
    /// Shows a lot as lists will show it, while its form is filled in.
    LotPreviewScript = "lot_preview.js",
    /// Saves the rows of many lots.
    LotsScript = "lots.js",
    /// Moves lots in the running order.
    OrderScript = "order.js",
    /// Skips and holds lots without leaving the page of a clerk.
    NextScript = "next.js",
    /// Answers and marks at the table without leaving the page.
    CheckoutScript = "checkout.js",
    /// Opens the streams of the page, and keeps the bell current.
    LiveScript = "live.js",
    /// The connection of all windows of a browser, as a shared worker. `live.js` starts it.
    ConnectionScript = "connection.js",
    /// Keeps what a clerk has entered until the server has answered it.
    OutboxScript = "outbox.js",
    /// Says on other pages how many calls of a clerk are not sent yet. `page.js` loads it.
    UnsentScript = "unsent.js",
    /// The service worker of a clerk's page, which keeps that page.
    WorkerScript = "worker.js",
}

/// Manifest of the built site.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assets {
    pub bundles: BundleNames,
    /// By the names of the sources. Has also scripts that only other scripts load.
    files: HashMap<String, Built>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Built {
    /// Path of the file, whose name carries a hash of its contents.
    address: String,
    /// Addresses of the modules that a script imports before it runs, and of those that they import.
    imports: Vec<String>,
}

impl Assets {
    /// A site that was not built. Its addresses have no hashes and lead nowhere.
    pub fn not_built() -> Self {
        let bundles = BundleNames {
            bid: "bid".to_owned(),
            follow: "follow".to_owned(),
            bench: "bench".to_owned(),
            clerk: "clerk".to_owned(),
            draw: "draw".to_owned(),
            pot: "pot".to_owned(),
        };
        Self { bundles, files: HashMap::new() }
    }

    pub fn address(&self, file: BuiltFile) -> String {
        let built = self.files.get(file.name());
        built.map_or_else(|| format!("/pkg/{}", file.name()), |built| built.address.clone())
    }

    /// Addresses of the modules that a script imports before it runs.
    pub fn imports(&self, script: BuiltFile) -> &[String] {
        self.files.get(script.name()).map_or(&[], |built| &built.imports)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn each_script_is_loaded_by_a_page_or_by_another_script() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let scripts: HashMap<String, String> = files
            .filter(|path| path.extension().is_some_and(|extension| extension == "js"))
            .map(|path| {
                (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap())
            })
            .collect();
        let listed: Vec<&str> =
            BuiltFile::ALL.iter().map(|file| file.name()).filter(|name| name.ends_with(".js")).collect();
        for name in &listed {
            assert!(scripts.contains_key(*name), "{name} is listed and does not exist");
        }
        // The build appends it to the bundles.
        for name in scripts.keys().filter(|name| *name != "hydrate.js") {
            let import = format!("'./{name}'");
            let is_loaded =
                listed.contains(&name.as_str()) || scripts.values().any(|text| text.contains(&import));
            assert!(is_loaded, "nothing loads {name}: list it, and load it on its page");
        }
    }

    #[test]
    fn a_file_has_the_address_of_the_manifest() {
        let manifest = r#"{
            "bundles": {"bid": "bid-0", "follow": "follow-0", "bench": "bench-0", "clerk": "clerk-0", "draw": "draw-0", "pot": "pot-0"},
            "files": {"live.js": {"address": "/pkg/live-1.js", "imports": ["/pkg/send-2.js"]}}
        }"#;
        let assets: Assets = serde_json::from_str(manifest).unwrap();
        assert_eq!(assets.address(BuiltFile::LiveScript), "/pkg/live-1.js");
        assert_eq!(assets.imports(BuiltFile::LiveScript), ["/pkg/send-2.js"]);
        assert_eq!(assets.address(BuiltFile::PageScript), "/pkg/page.js");
        assert!(assets.imports(BuiltFile::PageScript).is_empty());
    }
}
