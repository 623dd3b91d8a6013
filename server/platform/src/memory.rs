//! The memory that this process may take, by the control groups that it is in.

use std::path::{Path, PathBuf};

const GROUPS: &str = "/sys/fs/cgroup";
const OWN_GROUP: &str = "/proc/self/cgroup";
/// In the first version of control groups.
const OLD_LIMIT: &str = "/sys/fs/cgroup/memory/memory.limit_in_bytes";
/// The old limit of a group without one is a number near the largest.
const UNLIMITED: u64 = 1 << 60;

/// The lowest limit in bytes; `None` without one.
pub fn limit() -> Option<u64> {
    let own = std::fs::read_to_string(OWN_GROUP).unwrap_or_default();
    let own = own.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/");
    let old = number_in(Path::new(OLD_LIMIT)).filter(|limit| *limit < UNLIMITED);
    lowest(Path::new(GROUPS), own).into_iter().chain(old).min()
}

/// The lowest limit of the group at the path `own` and of those around it.
fn lowest(groups: &Path, own: &str) -> Option<u64> {
    let folder: PathBuf = groups.join(own.trim_start_matches('/'));
    let around = folder.ancestors().take_while(|folder| folder.starts_with(groups));
    around.filter_map(|folder| number_in(&folder.join("memory.max"))).min()
}

/// `None` for a missing file, and for the word that stands for no limit.
fn number_in(path: &Path) -> Option<u64> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_limit_of_the_groups_around_counts() {
        let folder = tempfile::tempdir().unwrap();
        let groups = folder.path().join("cgroup");
        std::fs::create_dir_all(groups.join("system.slice/farthing.service")).unwrap();
        let own = "/system.slice/farthing.service";
        assert_eq!(lowest(&groups, own), None);
        let write =
            |group: &str, text: &str| std::fs::write(groups.join(group).join("memory.max"), text).unwrap();
        write("system.slice/farthing.service", "max\n");
        assert_eq!(lowest(&groups, own), None);
        write("system.slice", "400000000\n");
        assert_eq!(lowest(&groups, own), Some(400_000_000));
        write("system.slice/farthing.service", "160000000\n");
        assert_eq!((lowest(&groups, own), lowest(&groups, "/")), (Some(160_000_000), None));
        std::fs::write(folder.path().join("memory.max"), "1").unwrap();
        assert_eq!(lowest(&groups, own), Some(160_000_000), "only groups count");
    }
}
