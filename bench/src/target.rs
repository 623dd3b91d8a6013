//! The server that is measured, as the process that measures sees it: its addresses, what its database
//! contains, and its processes.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde::{Deserialize, Serialize};

use crate::BenchError;
use crate::instructions::COUNTER;
use crate::processes::Processes;
use crate::serve::ChildError;
use crate::subject::BenchSubject;

/// The variable with the URL of the database.
pub const DATABASE_URL: &str = "DATABASE_URL";

/// The addresses of the server and what its database contains.
#[derive(Debug, Serialize, Deserialize)]
pub struct Target {
    pub address: SocketAddr,
    /// Serves the same routes without the layers around them.
    pub bare_address: SocketAddr,
    pub filled: FilledDatabase,
}

/// What a benchmark's database contains. Empty for a further server on a database that another one has
/// filled.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct FilledDatabase {
    /// The session of the owner of all auctions.
    pub owner: String,
    /// The sessions of the bidders.
    pub tokens: Arc<[String]>,
    /// The sessions of further managers of the large auction, who keep the group too, if hostile clients are
    /// measured: each attack has one with all writes.
    pub managers: Arc<[String]>,
    /// A group whose people are members of the large auction, likewise.
    pub group: Option<Group>,
    /// Paths of pages of further groups with as many people, which are there to be deleted, likewise.
    pub spare_groups: Arc<[String]>,
    /// Paths of pages of auctions.
    pub auctions: Arc<[String]>,
    /// Paths of pages of items.
    pub items: Arc<[String]>,
    /// Path of the page of a book of the owner's, if hostile clients or runs are measured.
    pub book: Option<String>,
    /// Path of the file of a picture, if hostile clients are measured.
    pub picture: Option<String>,
    /// Path of the same picture for people with the link of its auction, likewise.
    pub picture_of_link: Option<String>,
}

/// A group of people who sign in with numbers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Group {
    /// Path of its page.
    pub path: String,
    pub code: String,
}

impl FilledDatabase {
    /// The path to which bids on an item are posted.
    pub fn bid_path(&self, item: usize) -> String {
        format!("/api{}/bids", self.items[item])
    }
}

/// The child process. Dropping it kills the process.
pub struct Server {
    child: Child,
    pub target: Target,
    pub amounts: NextAmounts,
    pub processes: Processes,
}

/// The amount of the next bid on each item.
#[derive(Clone)]
pub struct NextAmounts(Arc<[AtomicU64]>);

impl NextAmounts {
    /// An amount above all previous ones.
    pub fn next(&self, item: usize) -> u64 {
        self.0[item].fetch_add(1, Ordering::Relaxed)
    }
}

impl Server {
    /// Starts the child with its files in `folder`, and waits until it is ready. `database_pid` is the parent
    /// process of the database server.
    pub fn start(
        folder: &Path,
        subject: BenchSubject,
        database_url: &str,
        database_pid: Option<u32>,
    ) -> Result<Self, BenchError> {
        let binary = std::env::current_exe()?;
        let name = subject.to_possible_value();
        let mut command = match subject {
            BenchSubject::Instructions => {
                let [program, options @ ..] = COUNTER;
                let mut command = Command::new(program);
                command.args(options).arg(binary);
                command
            }
            _ => Command::new(binary),
        };
        let mut child = command
            .args(name.as_ref().map(PossibleValue::get_name))
            .arg("--serve")
            .current_dir(folder)
            .env_clear()
            // Not an argument, because every user of the machine can read those.
            .env(DATABASE_URL, database_url)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let processes = Processes::new(child.id(), database_pid);
        let target = match read_target(&mut child) {
            Ok(target) => target,
            Err(error) => {
                stop(&mut child);
                return Err(error.into());
            }
        };
        let amounts = NextAmounts(target.filled.items.iter().map(|_| AtomicU64::new(1)).collect());
        Ok(Self { child, target, amounts, processes })
    }

    /// Id of the child's process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

/// The line that the child prints once it is ready.
fn read_target(child: &mut Child) -> Result<Target, ChildError> {
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        BufReader::new(out).read_line(&mut line)?;
    }
    Ok(serde_json::from_str(&line)?)
}

fn stop(child: &mut Child) {
    // Both fail only if the child has ended already.
    let _ = child.kill();
    let _ = child.wait();
}

impl Drop for Server {
    fn drop(&mut self) {
        stop(&mut self.child);
    }
}
