//! What stands around the routes: the steps every request passes, problems as documents and pages, the
//! OpenAPI document.

mod api_docs;
pub mod compression;
pub mod document;
mod encoder;
mod error_page;
pub mod file_pace;
pub mod layers;
pub mod openapi;
mod problem_code;
pub mod shared_file;
