//! The `farthing` command; see `server::cli`.

/// Drawing a page and answering a bid is allocating for a good part: this one takes less time for it than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    server::cli::main()
}
