//! The `farthing` command. `server::cli` contains it.

/// A large part of rendering a page or answering a bid is allocation, which takes less time here than in the
/// system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    server::cli::main()
}
