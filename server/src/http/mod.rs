//! What stands around the routes: the steps every request passes, problems as documents and pages, the OpenAPI document.

pub mod document;
mod error_page;
pub mod layers;
pub mod openapi;
