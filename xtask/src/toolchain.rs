//! The compiler's WebAssembly targets. `rust-toolchain.toml` names them, but where rustup's automatic
//! installation is off a checkout has to bring them itself.

use std::path::Path;
use std::process::Command;

use crate::failure::{Failure, Outcome};
use crate::process;
use crate::workspace::{BROWSER_TARGET, ENGINE_TARGET, Workspace};

pub fn ensure_targets(workspace: &Workspace) -> Outcome<()> {
    let sysroot =
        process::output(Command::new("rustc").args(["--print", "sysroot"]).current_dir(&workspace.root))?;
    let missing: Vec<&str> = [BROWSER_TARGET, ENGINE_TARGET]
        .into_iter()
        .filter(|target| !Path::new(sysroot.trim()).join("lib/rustlib").join(target).is_dir())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(" ");
    println!("toolchain: adding {names}");
    process::run(Command::new("rustup").args(["target", "add"]).args(&missing).current_dir(&workspace.root))
        .map_err(|failure| {
            Failure::new(format!("{failure}; the compiler's targets {names} are needed to build the pages"))
        })
}
