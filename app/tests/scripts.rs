//! The scripts of rendered pages.
#![cfg(feature = "ssr")]

use std::sync::Arc;

use app::assets::Assets;
use app::components::error_page::{LoadError, error_page};
use app::model::{LocalMoment, Theme, Viewer};
use app::render::render;
use app::request::{RequestContext, ViewerZone};

/// A site in which `live.js` imports two modules, and `page.js` one of them.
const MANIFEST: &str = r#"{
    "bundles": {"bid": "bid-0", "follow": "follow-0", "bench": "bench-0", "clerk": "clerk-0", "draw": "draw-0", "pot": "pot"},
    "files": {
        "page.js": {"address": "/pkg/page-1.js", "imports": ["/pkg/send-3.js"]},
        "live.js": {"address": "/pkg/live-2.js", "imports": ["/pkg/refresh-4.js", "/pkg/send-3.js"]}
    }
}"#;

fn request() -> RequestContext {
    RequestContext {
        assets: Arc::new(serde_json::from_str::<Assets>(MANIFEST).expect("the manifest is one")),
        fragments: Arc::default(),
        viewer: Some(Viewer {
            id: "u".to_owned(),
            name: "Ada".to_owned(),
            email: "ada@example.org".to_owned(),
            is_managed: false,
            may_administer: false,
            theme: Theme::System,
            inbox: None,
        }),
        now: 0,
        zone: Arc::new(ViewerZone {
            name: "Europe/Berlin".to_owned(),
            is_preferred: false,
            date_and_time: Box::new(|moment| moment.to_string()),
            local: Box::new(|moment| LocalMoment { local: moment.to_string(), stamp: moment.to_string() }),
        }),
        has_decimal_comma: false,
        path: "/auctions".to_owned(),
        search: String::new(),
        query: Vec::new(),
        site: "https://auctions.example".to_owned(),
        new_key: "new-key".to_owned(),
        newer_release: None,
        pause: None,
    }
}

#[test]
fn imported_modules_are_requested_together_with_their_scripts() {
    let page = render(request(), None, || error_page(LoadError::NotFound)).html;
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
