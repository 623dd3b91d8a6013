//! The Deployment Administration.
