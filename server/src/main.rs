//! The `farthing` command; see `server::cli`.

/// Much is allocated on one thread and freed on another, in which it is quicker than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    server::cli::main()
}
