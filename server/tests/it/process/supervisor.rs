use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::{Process, command, family, sqlite};
use crate::harness::{database, times};

const SLOW_BODY: &[u8] = b"POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\n\
     content-type: application/json\r\ncontent-length: 9\r\n\r\n{";

pub async fn gone_within(pid: u32, patience: Duration) {
    let begun = Instant::now();
    while family::lives(pid) {
        assert!(begun.elapsed() < patience, "the server is still there");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn started() -> (tempfile::TempDir, Process) {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(&database::fresh(folder.path()).await, folder.path()).await;
    (folder, process)
}

/// The rehearsal of an update, which may be of another version, reads this line.
#[tokio::test]
async fn the_address_is_announced() {
    let folder = tempfile::tempdir().unwrap();
    let announcement = folder.path().join("announcement");
    let mut command = command(&database::fresh(folder.path()).await, folder.path(), "127.0.0.1:0");
    command.env("FARTHING_ANNOUNCE_TO", &announcement);
    let process = Process::run(command).await;
    assert_eq!(std::fs::read_to_string(announcement).unwrap(), format!("{}\n", process.url));
}

/// The server ends with its supervisor, however that ends, and does not obstruct a new start.
#[tokio::test]
async fn the_server_ends_with_its_supervisor() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = database::fresh(folder.path()).await;
    let mut process = Process::start(&database_url, folder.path()).await;
    let address = process.url.trim_start_matches("http://").to_owned();
    for _ in 0..times(3, 20) {
        let server = process.server();
        process.kill();
        process = Process::run(command(&database_url, folder.path(), &address)).await;
        gone_within(server, Duration::from_secs(1)).await;
    }
}

/// The supervisor restarts a killed server; requests wait meanwhile. The first restart is immediate, repeated
/// ones are delayed.
#[tokio::test]
async fn a_killed_server_is_restarted() {
    let (_folder, mut process) = started().await;
    for _ in 0..3 {
        let server = process.server();
        family::signal(server, "KILL");
        gone_within(server, Duration::from_secs(1)).await;
        assert!(process.is_ready().await);
        process.says("serving again after").await;
        assert_ne!(process.server(), server);
    }
}

#[tokio::test]
async fn stops_while_it_waits_before_a_restart() {
    let (_folder, mut process) = started().await;
    // The delays grow.
    for _ in 0..2 {
        family::signal(process.server(), "KILL");
        process.says("serving again after").await;
    }
    family::signal(process.server(), "KILL");
    process.says("the server ended by itself").await;
    process.signal("TERM");
    assert!(process.ends_within(Duration::from_secs(2)).await.success());
}

/// During a restart: while the old server ends, and while the new one starts.
#[tokio::test]
async fn stops_during_a_restart() {
    for pause in [0, 5, 20, 50, 100] {
        let (_folder, mut process) = started().await;
        process.signal("USR1");
        process.says("restarting the server").await;
        tokio::time::sleep(Duration::from_millis(pause)).await;
        process.signal("TERM");
        let ended = process.ends_within(Duration::from_secs(5)).await;
        assert!(ended.success(), "{ended}");
    }
}

/// A slow client holds the old server as long as it permits.
#[tokio::test]
async fn stops_in_time_while_the_old_server_ends() {
    let (_folder, mut process) = started().await;
    let mut slow = TcpStream::connect(process.url.trim_start_matches("http://")).await.unwrap();
    slow.write_all(SLOW_BODY).await.unwrap();
    assert!(process.is_ready().await);
    process.signal("USR1");
    process.says("restarting the server").await;
    process.signal("TERM");
    assert!(process.ends_within(Duration::from_secs(10)).await.success());
}

/// The standard input of the server is `/dev/null`, not that of its supervisor.
#[tokio::test]
async fn the_server_has_no_standard_input() {
    let (_folder, process) = started().await;
    let input = std::fs::read_link(format!("/proc/{}/fd/0", process.server())).unwrap();
    assert_eq!(input.to_str(), Some("/dev/null"));
}

/// Only the supervisor may set the flag.
#[test]
fn the_flag_of_a_supervised_server_is_refused_without_a_supervisor() {
    let folder = tempfile::tempdir().unwrap();
    let mut serve = command(&sqlite(folder.path()), folder.path(), "127.0.0.1:0");
    let output = serve.arg("--supervised-by=1").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is for the supervisor"));
}

/// Limits the memory that supervisor and server allocate together. The pages of the binary don't count: tests
/// run one without optimization, which is larger.
#[tokio::test]
async fn an_idle_server_and_its_supervisor_use_little_memory() {
    let (_folder, process) = started().await;
    let allocated = |pid: u32| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.trim().split(' ').next().unwrap().parse::<u64>().unwrap() * 1024
    };
    let (supervisor, server) = (allocated(process.child.id()), allocated(process.server()));
    // The server may or may not have begun its jobs by now.
    assert!(supervisor + server < 24_000_000, "{supervisor} + {server}");
}
