//! Restoring a backup. From a shell, this happens while no server runs. From the Deployment Admin's page, the
//! running server stores a request, and the next server carries it out before it opens the database. So
//! nothing is written in between, and the replaced database becomes a backup itself.

mod admin;
mod error;
mod request;
mod shell;
mod startup;
mod verify;

pub use admin::request_restore;
pub use error::RestoreError;
pub use shell::restore;
pub use startup::{carry_out_request, record_outcome};
pub use verify::{Verified, verify};
