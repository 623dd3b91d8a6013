//! Repeats a draw of tickets with the engine, in the browser, so that anyone can check its outcome.

pub mod check;
mod repeat;
