//! The `farthing` command; see `server::cli`.

fn main() -> std::process::ExitCode {
    server::cli::main()
}
