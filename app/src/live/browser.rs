//! The browser APIs that islands use. Never called on the server.

use std::rc::Rc;

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlElement, Response};

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

    // Fail if the user forbids the site to keep anything.
    #[wasm_bindgen(js_namespace = sessionStorage, js_name = getItem, catch)]
    fn get_item(key: &str) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(js_namespace = sessionStorage, js_name = setItem, catch)]
    fn set_item(key: &str, text: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = sessionStorage, js_name = removeItem, catch)]
    fn remove_item(key: &str) -> Result<(), JsValue>;

    /// Options of `fetch`.
    type RequestInit;

    // Functions of `live.js`. Fail on a page without it.
    #[wasm_bindgen(js_namespace = liveEvents, js_name = follow, catch)]
    fn follow_stream(url: &str, listener: &Listener) -> Result<js_sys::Function, JsValue>;
    #[wasm_bindgen(js_namespace = liveEvents, js_name = onRefresh, catch)]
    fn follow_refreshes(listener: &Listener) -> Result<js_sys::Function, JsValue>;

    // Functions of `outbox.js`. Fail on a page without it.
    #[wasm_bindgen(js_namespace = outbox, js_name = follow, catch)]
    fn start_outbox(place: &str, listener: &Listener) -> Result<js_sys::Function, JsValue>;
    #[wasm_bindgen(js_namespace = outbox, js_name = add, catch)]
    fn add_to_outbox(call: &str) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(js_namespace = outbox, js_name = remove, catch)]
    fn remove_from_outbox(order: f64) -> Result<js_sys::Promise, JsValue>;

    /// An input, checkbox or list.
    type Control;
    #[wasm_bindgen(method, getter)]
    fn value(this: &Control) -> String;
    #[wasm_bindgen(method, setter)]
    fn set_value(this: &Control, value: &str);
    // A list and a button have none.
    #[wasm_bindgen(method, getter, js_name = defaultValue)]
    fn default_value(this: &Control) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn checked(this: &Control) -> bool;
    #[wasm_bindgen(method, setter)]
    fn set_checked(this: &Control, checked: bool);
    // A list has none.
    #[wasm_bindgen(method, catch)]
    fn select(this: &Control) -> Result<(), JsValue>;

    /// A form.
    type Form;
    #[wasm_bindgen(method, getter)]
    fn elements(this: &Form) -> JsValue;

    /// The values of a form.
    #[wasm_bindgen(js_name = FormData)]
    type FormValues;
    #[wasm_bindgen(constructor, js_class = FormData, catch)]
    fn new(form: &web_sys::Element) -> Result<FormValues, JsValue>;
    #[wasm_bindgen(method)]
    fn get(this: &FormValues, name: &str) -> JsValue;

    type EventSource;

    #[wasm_bindgen(method, getter, js_name = readyState)]
    fn ready_state(this: &EventSource) -> u8;
    #[wasm_bindgen(method, getter)]
    fn url(this: &EventSource) -> String;

    /// An event of a stream: one of the connection itself, `open` or `error`, has no data.
    pub type StreamEvent;

    #[wasm_bindgen(method, getter, js_name = type)]
    pub fn kind(this: &StreamEvent) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn data(this: &StreamEvent) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn target(this: &StreamEvent) -> EventSource;

    #[wasm_bindgen(method, setter)]
    fn set_method(this: &RequestInit, method: &str);
    #[wasm_bindgen(method, setter)]
    fn set_headers(this: &RequestInit, headers: &js_sys::Array);
    #[wasm_bindgen(method, setter)]
    fn set_body(this: &RequestInit, body: &str);
    #[wasm_bindgen(method, setter)]
    fn set_signal(this: &RequestInit, signal: &JsValue);
}

/// The server did not respond, or not in time. It may have received the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreachable;

/// A response of the server.
#[derive(Debug)]
pub struct HttpAnswer {
    pub status: u16,
    pub body: String,
}

/// Timeout of a request.
const TIMEOUT_MS: f64 = 15_000.0;

type Listener = Closure<dyn FnMut(StreamEvent)>;

/// The subscription of an island. Ends when dropped.
pub struct Subscription {
    end: Option<js_sys::Function>,
    _listener: Listener,
}

impl Subscription {
    fn new(
        on_event: Rc<dyn Fn(&StreamEvent)>,
        start: impl FnOnce(&Listener) -> Result<js_sys::Function, JsValue>,
    ) -> Self {
        let listener = Listener::new(move |event: StreamEvent| on_event(&event));
        Self { end: start(&listener).ok(), _listener: listener }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(end) = &self.end {
            // It does not fail.
            drop(end.call0(&JsValue::UNDEFINED));
        }
    }
}

/// Follows the stream at `url`.
pub fn follow(url: &str, on_event: Rc<dyn Fn(&StreamEvent)>) -> Subscription {
    Subscription::new(on_event, |listener| follow_stream(url, listener))
}

/// Follows the refreshes of this page. The data of an event is the new state of the page's island.
pub fn on_refresh(on_event: Rc<dyn Fn(&StreamEvent)>) -> Subscription {
    Subscription::new(on_event, follow_refreshes)
}

/// State of an `EventSource` that does not reconnect.
const CLOSED: u8 = 2;

impl StreamEvent {
    /// The address of the stream, if the server has refused it.
    pub fn refused_url(&self) -> Option<String> {
        let stream = self.target();
        (stream.ready_state() == CLOSED).then(|| stream.url())
    }
}

/// Requests a JSON document.
pub async fn get(url: &str) -> Result<HttpAnswer, Unreachable> {
    send("GET", url, None, &[]).await
}

/// Posts a JSON document. A repetition with the same key has no further effect.
pub async fn post(url: &str, body: &str, idempotency_key: &str) -> Result<HttpAnswer, Unreachable> {
    send("POST", url, Some(body), &[("Idempotency-Key", idempotency_key)]).await
}

/// Puts a JSON document.
pub async fn put(url: &str, body: &str) -> Result<HttpAnswer, Unreachable> {
    send("PUT", url, Some(body), &[]).await
}

async fn send(
    method: &str,
    url: &str,
    body: Option<&str>,
    headers: &[(&str, &str)],
) -> Result<HttpAnswer, Unreachable> {
    let request = js_sys::Object::new().unchecked_into::<RequestInit>();
    request.set_method(method);
    let list = js_sys::Array::new();
    let json = [("Accept", "application/json"), ("Content-Type", "application/json")];
    for (name, value) in json.iter().chain(headers) {
        list.push(&js_sys::Array::of2(&JsValue::from_str(name), &JsValue::from_str(value)));
    }
    request.set_headers(&list);
    if let Some(body) = body {
        request.set_body(body);
    }
    // A browser without this API has its own timeout.
    if let Ok(signal) = timeout(TIMEOUT_MS) {
        request.set_signal(&signal);
    }
    let answer = start_fetch(url, &request).map_err(|_| Unreachable)?;
    let answer = JsFuture::from(answer).await.map_err(|_| Unreachable)?.unchecked_into::<Response>();
    let text = answer.text().map_err(|_| Unreachable)?;
    let text = JsFuture::from(text).await.map_err(|_| Unreachable)?;
    Ok(HttpAnswer { status: answer.status(), body: text.as_string().unwrap_or_default() })
}

/// The status with which the server answers a request for a stream. It begins none.
pub async fn status_of(url: &str) -> Result<u16, Unreachable> {
    let request = js_sys::Object::new().unchecked_into::<RequestInit>();
    request.set_method("HEAD");
    if let Ok(signal) = timeout(TIMEOUT_MS) {
        request.set_signal(&signal);
    }
    let answer = start_fetch(url, &request).map_err(|_| Unreachable)?;
    let answer = JsFuture::from(answer).await.map_err(|_| Unreachable)?.unchecked_into::<Response>();
    Ok(answer.status())
}

/// The browser's clock in milliseconds since 1970. It may be wrong.
pub fn clock() -> i64 {
    whole(js_sys::Date::now())
}

/// A moment as the browser shows it.
pub fn date(moment: i64) -> js_sys::Date {
    #[expect(
        clippy::cast_precision_loss,
        reason = "milliseconds of four-digit years have fewer than 53 bits"
    )]
    js_sys::Date::new(&JsValue::from_f64(moment as f64))
}

/// Milliseconds since the browser requested this page.
pub fn since_navigation() -> i64 {
    whole(performance_now())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "browsers give milliseconds since 1970 as a float, and they fit"
)]
fn whole(milliseconds: f64) -> i64 {
    milliseconds as i64
}

/// 128 random bits in hexadecimal.
pub fn random_key() -> String {
    let bytes = js_sys::Uint8Array::new_with_length(16);
    get_random_values(&bytes);
    bytes.to_vec().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A text that this tab keeps under `key`.
pub fn draft(key: &str) -> Option<String> {
    get_item(key).ok().flatten()
}

/// Keeps a text for this tab under `key`, or nothing if the text is empty.
pub fn keep_draft(key: &str, text: &str) {
    let kept = if text.is_empty() { remove_item(key) } else { set_item(key, text) };
    // Without it, a reload loses the text.
    drop(kept);
}

/// Focuses the element with this id.
pub fn focus(id: &str) {
    let element = document().get_element_by_id(id);
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // Without the focus the error message is still visible.
        drop(element.focus());
    }
}

/// Follows the calls of `place` that the browser keeps. The data of an event is all of them in JSON.
pub fn follow_outbox(place: &str, on_event: Rc<dyn Fn(&StreamEvent)>) -> Subscription {
    Subscription::new(on_event, |listener| start_outbox(place, listener))
}

/// The browser could not keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotKept;

/// Keeps a call until the server has answered it. Returns once it is on the disk.
pub async fn keep_call(call: &str) -> Result<(), NotKept> {
    let kept = add_to_outbox(call).map_err(|_| NotKept)?;
    JsFuture::from(kept).await.map(drop).map_err(|_| NotKept)
}

/// Takes back a call. Returns whether the server can't have it.
pub async fn take_back_call(order: u64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "the browser counts them in floats")]
    let Ok(removed) = remove_from_outbox(order as f64) else { return false };
    JsFuture::from(removed).await.is_ok_and(|removed| removed.is_truthy())
}

fn control(id: &str) -> Option<Control> {
    document().get_element_by_id(id).map(JsCast::unchecked_into)
}

/// Id of an element.
pub fn id_of(element: &web_sys::EventTarget) -> String {
    element.unchecked_ref::<HtmlElement>().id()
}

/// The text in the field with this id. Empty without the field.
pub fn typed(id: &str) -> String {
    control(id).map(|control| control.value()).unwrap_or_default()
}

/// Writes a text into the field with this id.
pub fn write(id: &str, text: &str) {
    if let Some(control) = control(id) {
        control.set_value(text);
    }
}

/// The value of a field of the form with this id.
pub fn form_value(form: &str, name: &str) -> Option<String> {
    let values = FormValues::new(&document().get_element_by_id(form)?).ok()?;
    values.get(name).as_string()
}

/// Whether a text in the form with this id differs from what the server rendered: it was typed before
/// hydration.
pub fn is_typed_in(form: &str) -> bool {
    let Some(form) = document().get_element_by_id(form).map(JsCast::unchecked_into::<Form>) else {
        return false;
    };
    js_sys::Array::from(&form.elements())
        .iter()
        .map(JsCast::unchecked_into::<Control>)
        .any(|control| control.default_value().is_some_and(|rendered| rendered != control.value()))
}

/// Removes the element with this id.
pub fn remove(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.remove();
    }
}

/// Whether the box with this id is ticked.
pub fn is_ticked(id: &str) -> bool {
    control(id).is_some_and(|control| control.checked())
}

pub fn untick(id: &str) {
    if let Some(control) = control(id) {
        control.set_checked(false);
    }
}

/// Whether the element with this id has the focus.
pub fn has_focus(id: &str) -> bool {
    document().active_element().is_some_and(|element| element.id() == id)
}

/// Focuses the field with this id, and selects its text.
pub fn select(id: &str) {
    focus(id);
    if let Some(control) = control(id) {
        drop(control.select());
    }
}
