//! The scripts of a page, and the modules that they import.

use std::sync::{Arc, Mutex, PoisonError};

use leptos::nonce::use_nonce;
use leptos::prelude::*;

use crate::assets::BuiltFile;
use crate::request::request;

/// Scripts that the components of the page need. A context of each request.
#[derive(Clone, Default)]
pub struct PageScripts(Arc<Mutex<Vec<BuiltFile>>>);

impl PageScripts {
    fn add(&self, script: BuiltFile) {
        let mut scripts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !scripts.contains(&script) {
            scripts.push(script);
        }
    }
}

/// Makes the page load a script, once, whichever components ask for it. It runs when the document is
/// complete.
#[component]
pub fn LoadScript(script: BuiltFile) -> impl IntoView {
    expect_context::<PageScripts>().add(script);
}

/// The elements that load the scripts of a rendered page: first those of its frame, then its own.
///
/// The build writes the addresses of imported modules into the scripts, since an import map would need
/// Safari 16.4 and Firefox 108. A browser learns of an import only from the script that has it, so that the
/// page names imported modules too: they are requested together with their scripts, not after them.
#[component]
pub fn ScriptElements(frame: Vec<BuiltFile>) -> impl IntoView {
    let request = request();
    let assets = &request.assets;
    let own = expect_context::<PageScripts>().0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let scripts = [frame, own].concat();
    let addresses: Vec<String> = scripts.iter().map(|script| assets.address(*script)).collect();
    let mut imports: Vec<&String> = scripts.iter().flat_map(|script| assets.imports(*script)).collect();
    imports.sort_unstable();
    imports.dedup();
    imports.retain(|import| !addresses.contains(import));
    let imports = imports.into_iter().cloned();
    let imports =
        imports.map(|address| view! { <link rel="modulepreload" href=address nonce=use_nonce() /> });
    let imports = imports.collect_view();
    let scripts = addresses.into_iter();
    let scripts =
        scripts.map(|address| view! { <script type="module" src=address nonce=use_nonce()></script> });
    view! {
        {scripts.collect_view()}
        {imports}
    }
}
