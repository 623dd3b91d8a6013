//! What commands that an update runs know of this process's environment (contract, section 8).

use std::ffi::OsString;

const KEPT: [&str; 3] = ["PATH", "HOME", "LANG"];
const KEPT_BEGINNINGS: [&str; 2] = ["CARGO_", "RUSTUP_"];
/// In either case.
const PROXIES: [&str; 4] = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"];

/// The variables that commands keep, with their values; secrets of the server are not among them.
#[expect(clippy::disallowed_methods, reason = "a part of the configuration: what commands inherit")]
pub fn environment_of_commands() -> Vec<(OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_kept)).collect()
}

fn is_kept(name: &str) -> bool {
    KEPT.contains(&name)
        || KEPT_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || PROXIES.iter().any(|proxy| proxy.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::is_kept;

    #[test]
    fn secrets_are_not_kept() {
        for name in ["PATH", "HOME", "LANG", "CARGO_HOME", "RUSTUP_TOOLCHAIN", "HTTPS_PROXY", "no_proxy"] {
            assert!(is_kept(name), "{name}");
        }
        for name in
            ["DATABASE_URL", "FARTHING_DATA_DIR", "AWS_SECRET_ACCESS_KEY", "LD_PRELOAD", "CARGO", "PATHS"]
        {
            assert!(!is_kept(name), "{name}");
        }
    }
}
