//! What `cargo xtask bench` and `test` measure and test with: a demo server, an HTTP client and the item
//! page.

mod http;
mod page;
mod process;

pub use http::HttpClient;
pub use page::find_item_page;
pub use process::DemoServer;

/// The middle value, on which a single slow run has no effect.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
