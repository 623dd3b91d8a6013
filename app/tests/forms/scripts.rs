//! The scripts of rendered pages.

use std::sync::Arc;

use app::assets::Assets;
use app::model::Registration;
use app::pages::account::register::register_page;
use app::render::render;

use crate::request;

/// A site in which `live.js` imports two modules, and `page.js` one of them.
const MANIFEST: &str = r#"{
    "bundles": {"bid": "bid-0", "follow": "follow-0", "bench": "bench-0", "clerk": "clerk-0", "draw": "draw-0", "pot": "pot"},
    "files": {
        "page.js": {"address": "/pkg/page-1.js", "imports": ["/pkg/send-3.js"]},
        "live.js": {"address": "/pkg/live-2.js", "imports": ["/pkg/refresh-4.js", "/pkg/send-3.js"]}
    }
}"#;

#[test]
fn imported_modules_are_requested_together_with_their_scripts() {
    let mut request = request();
    request.assets = Arc::new(serde_json::from_str::<Assets>(MANIFEST).unwrap());
    let page = render(request, None, || register_page(Registration::Open, None)).html;
    let (head, _) = page.split_once("</head>").unwrap();
    let elements = |start: &str| -> Vec<&str> {
        head.split(start).skip(1).filter_map(|rest| rest.split('>').next()).collect()
    };
    let names = |elements: &[&str]| -> Vec<String> {
        let names = elements.iter().filter_map(|element| element.split("/pkg/").nth(1)?.split('.').next());
        names.map(str::to_owned).collect()
    };
    let modules = elements("<link rel=\"modulepreload\"");
    assert_eq!(names(&elements("<script")), ["page-1", "live-2"]);
    assert_eq!(names(&modules), ["refresh-4", "send-3"]);
    assert!(modules.iter().all(|module| module.contains("nonce=")), "{modules:?}");
}
