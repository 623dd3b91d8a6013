//! What cargo starts instead of a test that is WebAssembly. It is wasm-bindgen's own runner, as a member of
//! the workspace, so that its version is the lock's; a crate of its own, so that only tests compile it.

#![expect(clippy::print_stderr, reason = "a command line tool speaks on the terminal")]

use std::process::ExitCode;

use wasm_bindgen_cli::wasm_bindgen_test_runner;

fn main() -> ExitCode {
    match wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
