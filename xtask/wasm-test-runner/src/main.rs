//! The runner that cargo starts for WebAssembly tests: wasm-bindgen's own, as a crate of the workspace, so
//! that its version is the locked one. It is separate from the build tool, so that only the tests compile it.

#![expect(clippy::print_stderr, reason = "a command line tool prints to the terminal")]

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
