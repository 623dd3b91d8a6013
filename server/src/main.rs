//! The `farthing` command; see `server::cli`.

/// A bid makes a few hundred allocations and a page thousands, on one thread and freed on another.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    server::cli::main()
}
