//! The few things of the browser that islands use. Nothing here is called on the server.

use std::rc::Rc;

use leptos::prelude::{document, location};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, DomParser, HtmlElement, Response, SupportedType};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = fetch, catch)]
    fn start_fetch(url: &str, request: &RequestInit) -> Result<js_sys::Promise, JsValue>;

    #[wasm_bindgen(js_namespace = AbortSignal, js_name = timeout, catch)]
    fn timeout(milliseconds: f64) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;

    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn get_random_values(bytes: &js_sys::Uint8Array);

    /// What `fetch` is told.
    type RequestInit;

    type EventSource;

    #[wasm_bindgen(constructor)]
    fn new(url: &str) -> EventSource;
    #[wasm_bindgen(method)]
    fn close(this: &EventSource);
    #[wasm_bindgen(method, getter, js_name = readyState)]
    fn ready_state(this: &EventSource) -> u8;
    #[wasm_bindgen(method, js_name = addEventListener)]
    fn listen(this: &EventSource, kind: &str, listener: &Closure<dyn FnMut(Told)>);

    /// What an `EventSource` hands on.
    pub type Told;

    #[wasm_bindgen(method, getter, js_name = type)]
    pub fn kind(this: &Told) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn data(this: &Told) -> Option<String>;

    #[wasm_bindgen(method, setter)]
    fn set_method(this: &RequestInit, method: &str);
    #[wasm_bindgen(method, setter)]
    fn set_headers(this: &RequestInit, headers: &js_sys::Array);
    #[wasm_bindgen(method, setter)]
    fn set_body(this: &RequestInit, body: &str);
    #[wasm_bindgen(method, setter)]
    fn set_signal(this: &RequestInit, signal: &JsValue);
}

/// The server did not answer in time, or not at all. Whether it received the request is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreachable;

/// What the server said.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

/// No answer is waited for longer than this.
const PATIENCE_MS: f64 = 15_000.0;

/// A stream of the server's events. Dropped, it is closed.
pub struct EventStream {
    source: EventSource,
    _listener: Closure<dyn FnMut(Told)>,
}

impl EventStream {
    /// What is told of it: `open` and `error`, without data, and the server's events with theirs.
    const KINDS: [&str; 6] = ["open", "error", "item", "bid", "reset", "run"];

    /// Opens the stream. The browser itself tries again when it breaks, and says what it has got.
    pub fn open(url: &str, hear: Rc<dyn Fn(&Told)>) -> Self {
        let listener = Closure::<dyn FnMut(Told)>::new(move |told: Told| hear(&told));
        let source = EventSource::new(url);
        for kind in Self::KINDS {
            source.listen(kind, &listener);
        }
        Self { source, _listener: listener }
    }

    /// The server has refused it: the browser does not try again.
    pub fn ended(&self) -> bool {
        const CLOSED: u8 = 2;
        self.source.ready_state() == CLOSED
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.source.close();
    }
}

/// Sends a JSON document that counts once, however often it is sent with this key.
pub async fn post(url: &str, body: &str, idempotency_key: &str) -> Result<Answer, Unreachable> {
    let request = js_sys::Object::new().unchecked_into::<RequestInit>();
    request.set_method("POST");
    let list = js_sys::Array::new();
    for (name, value) in [
        ("Accept", "application/json"),
        ("Content-Type", "application/json"),
        ("Idempotency-Key", idempotency_key),
    ] {
        list.push(&js_sys::Array::of2(&JsValue::from_str(name), &JsValue::from_str(value)));
    }
    request.set_headers(&list);
    request.set_body(body);
    // A browser without it waits as long as it pleases.
    if let Ok(signal) = timeout(PATIENCE_MS) {
        request.set_signal(&signal);
    }
    let answer = start_fetch(url, &request).map_err(|_| Unreachable)?;
    let answer = JsFuture::from(answer).await.map_err(|_| Unreachable)?.unchecked_into::<Response>();
    let text = answer.text().map_err(|_| Unreachable)?;
    let text = JsFuture::from(text).await.map_err(|_| Unreachable)?;
    Ok(Answer { status: answer.status(), body: text.as_string().unwrap_or_default() })
}

/// This page as the server has it now.
pub async fn page_again() -> Result<Document, Unreachable> {
    let request = js_sys::Object::new().unchecked_into::<RequestInit>();
    if let Ok(signal) = timeout(PATIENCE_MS) {
        request.set_signal(&signal);
    }
    let url = location().pathname().map_err(|_| Unreachable)?;
    let answer = start_fetch(&url, &request).map_err(|_| Unreachable)?;
    let answer = JsFuture::from(answer).await.map_err(|_| Unreachable)?.unchecked_into::<Response>();
    if !answer.ok() {
        return Err(Unreachable);
    }
    let text = JsFuture::from(answer.text().map_err(|_| Unreachable)?).await.map_err(|_| Unreachable)?;
    let parsed = DomParser::new().and_then(|parser| {
        parser.parse_from_string(&text.as_string().unwrap_or_default(), SupportedType::TextHtml)
    });
    parsed.map_err(|_| Unreachable)
}

/// Loads the page anew.
pub fn reload() {
    // A browser that does not is left with the page as it is.
    drop(location().reload());
}

/// The browser's own clock, which may be wrong, in milliseconds since 1970.
pub fn clock() -> i64 {
    whole(js_sys::Date::now())
}

/// Milliseconds since the browser asked for this page.
pub fn since_navigation() -> i64 {
    whole(performance_now())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "milliseconds since 1970 fit, and a float is what browsers give"
)]
fn whole(milliseconds: f64) -> i64 {
    milliseconds as i64
}

/// 128 bits that nobody can guess, as text.
pub fn random_key() -> String {
    let bytes = js_sys::Uint8Array::new_with_length(16);
    get_random_values(&bytes);
    bytes.to_vec().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the page is out of sight.
pub fn hidden() -> bool {
    document().hidden()
}

/// Leads the keyboard to the element with this id.
pub fn focus(id: &str) {
    let element = document().get_element_by_id(id);
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // Without focus the message still stands where it is.
        drop(element.focus());
    }
}
