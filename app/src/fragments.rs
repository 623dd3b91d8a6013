//! Parts of pages that are rendered once for all viewers to whom they show the same.
//!
//! A fragment is rendered from its facts alone: no context of a request is there, so that what its facts do
//! not have can't get into it. Its key is the JSON of these facts, as a whole, with the zone of its moments.
//! So nothing of one viewer gets into the page of another, and nothing that has changed is shown as it was.

use std::any::TypeId;
use std::sync::Arc;

use foldhash::fast::RandomState;
use hydration_context::SsrSharedContext;
use leptos::prelude::*;
use leptos::reactive::owner::Owner;
use leptos::tachys::html::InertElement;
use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};
use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::request::ViewerZone;

/// The expected number of fragments, and the most bytes that they take with their keys.
const FRAGMENTS: usize = 4096;
const BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The facts of a fragment: all that it shows. Each field is written, or absent if it is `None`.
pub trait Fragment: Serialize + 'static {
    /// The view. It writes moments in the zone of the viewer.
    fn view(self) -> impl IntoView;
}

/// The fragment of these facts as an element of the page.
pub fn fragment<F: Fragment>(facts: F) -> InertElement {
    let fragments: Arc<Fragments> = expect_context();
    InertElement::new(fragments.html(facts, expect_context()))
}

/// The fragments of earlier pages. The keys are long, so that a fast function hashes them.
#[derive(Debug)]
pub struct Fragments(Cache<Key, Arc<str>, Bytes, RandomState>);

/// Which view has been rendered of which facts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    view: TypeId,
    /// The zone and the facts as JSON.
    json: Vec<u8>,
}

/// Weighs a fragment with its key.
#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<Key, Arc<str>> for Bytes {
    fn weight(&self, key: &Key, html: &Arc<str>) -> u64 {
        (size_of::<(Key, Arc<str>)>() + key.json.len() + html.len()) as u64
    }
}

impl Default for Fragments {
    fn default() -> Self {
        Self(Cache::with(FRAGMENTS, BYTES_MAX, Bytes, RandomState::default(), DefaultLifecycle::default()))
    }
}

impl Fragments {
    fn html<F: Fragment>(self: &Arc<Self>, facts: F, zone: Arc<ViewerZone>) -> String {
        let Some(mut key) = Key::of(&facts, &zone) else { return self.rendered(facts, zone) };
        if let Some(html) = self.0.get(&key) {
            return (*html).to_owned();
        }
        let html = self.rendered(facts, zone);
        key.json.shrink_to_fit();
        self.0.insert(key, html.as_str().into());
        html
    }

    /// Renders without the contexts of the request.
    fn rendered(self: &Arc<Self>, facts: impl Fragment, zone: Arc<ViewerZone>) -> String {
        let current = Owner::current();
        // It becomes the current one.
        let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new_islands())));
        let html = owner.with(|| {
            provide_context(Arc::clone(self));
            provide_context(zone);
            facts.view().into_view().to_html()
        });
        owner.unset_with_forced_cleanup();
        if let Some(current) = current {
            current.set();
        }
        html
    }
}

impl Key {
    /// `None` if the facts can't be written.
    fn of<F: Fragment>(facts: &F, zone: &ViewerZone) -> Option<Self> {
        const USUAL_BYTES: usize = 1024;
        let mut json = Vec::with_capacity(USUAL_BYTES);
        serde_json::to_writer(&mut json, &zone.name).ok()?;
        serde_json::to_writer(&mut json, facts).ok()?;
        Some(Self { view: TypeId::of::<F>(), json })
    }
}

/// A value with its JSON, which is written once for all facts that have it.
#[derive(Debug, Clone)]
pub struct WithJson<T> {
    pub value: T,
    json: Option<Arc<RawValue>>,
}

impl<T: Serialize> WithJson<T> {
    pub fn new(value: T) -> Self {
        let json = to_raw_value(&value).ok().map(Arc::from);
        Self { value, json }
    }

    /// The value for several owners.
    pub fn shared(self) -> WithJson<Arc<T>> {
        WithJson { value: Arc::new(self.value), json: self.json }
    }

    /// The JSON, or nothing if the value can't be written.
    pub fn json(&self) -> &str {
        self.json.as_deref().map_or("", RawValue::get)
    }
}

impl<T> Serialize for WithJson<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json
            .as_deref()
            .ok_or_else(|| S::Error::custom("a value that can't be written"))?
            .serialize(serializer)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::components::moment::date_and_time;
    use crate::model::LocalMoment;

    #[derive(Serialize, Clone)]
    struct Name(&'static str);

    impl Fragment for Name {
        fn view(self) -> impl IntoView {
            let has_context = use_context::<&'static str>().is_some();
            view! { <b>{self.0} " at " {date_and_time(7)} {has_context.then_some("!")}</b> }
        }
    }

    #[derive(Serialize, Clone)]
    struct Outer(Name);

    impl Fragment for Outer {
        fn view(self) -> impl IntoView {
            view! { <i>{fragment(self.0)}</i> }
        }
    }

    pub fn zone(name: &'static str) -> Arc<ViewerZone> {
        Arc::new(ViewerZone {
            name: name.to_owned(),
            is_preferred: false,
            date_and_time: Box::new(move |moment| format!("{moment} in {name}")),
            local: Box::new(|_| LocalMoment::default()),
        })
    }

    #[test]
    fn a_fragment_is_that_of_its_facts_and_its_zone_alone() {
        let fragments = Arc::new(Fragments::default());
        let owner = Owner::new_root(None);
        owner.with(|| {
            provide_context("of the request");
            for _ in 0..2 {
                for at in ["UTC", "Europe/Berlin"] {
                    for name in ["Ada", "Ada <b>"] {
                        let html = fragments.html(Name(name), zone(at));
                        let name = name.replace('<', "&lt;").replace('>', "&gt;");
                        assert!(html.starts_with(&format!("<b>{name}<!> at <!>7 in {at}")), "{html}");
                        assert!(!html.contains('!') || !html.contains("!<"), "{html}");
                    }
                }
            }
            assert_eq!(fragments.0.len(), 4, "each kept for itself");
            assert_eq!(use_context(), Some("of the request"), "its contexts are back");
            let html = fragments.html(Outer(Name("Ada")), zone("UTC"));
            assert!(html.starts_with("<i><b>Ada"), "{html}");
            assert_eq!(fragments.0.len(), 5, "the inner one was kept before");
        });
    }

    #[test]
    fn facts_that_cannot_be_written_are_not_kept() {
        #[derive(Serialize)]
        struct Unwritable(WithJson<()>);

        impl Fragment for Unwritable {
            fn view(self) -> impl IntoView {
                view! { <b>"shown"</b> }
            }
        }

        let fragments = Arc::new(Fragments::default());
        let facts = Unwritable(WithJson { value: (), json: None });
        assert_eq!(fragments.html(facts, zone("UTC")), "<b>shown</b>");
        assert_eq!(fragments.0.len(), 0);
    }
}
