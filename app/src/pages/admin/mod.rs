//! The Deployment Administration.

#[cfg(feature = "ssr")]
mod audit_log;
#[cfg(feature = "ssr")]
mod backups;
#[cfg(feature = "ssr")]
mod previous;
#[cfg(feature = "ssr")]
pub mod show;
#[cfg(any(feature = "ssr", feature = "follow"))]
pub mod update;
#[cfg(feature = "ssr")]
mod version;
