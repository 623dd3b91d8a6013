use std::io::Read;
use std::process::Child;

use super::{Process, command, sqlite};

/// Waits for the end of a server that cannot start, and returns its output.
fn refusal(mut child: Child) -> String {
    let mut output = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut output).expect("text");
    child.stderr.take().expect("piped").read_to_string(&mut output).expect("text");
    assert!(!child.wait().expect("the process ends").success(), "the exit status is a failure");
    output
}

#[tokio::test]
async fn a_second_server_on_the_same_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = sqlite(folder.path());
    let first = Process::start(&database_url, folder.path()).await;
    // Also with the port of the first server, as in a second start by mistake.
    for listen in ["127.0.0.1:0", first.url.trim_start_matches("http://")] {
        let output = refusal(command(&database_url, folder.path(), listen).spawn().unwrap());
        assert!(output.contains("another farthing serves the database"), "{output}");
        assert_eq!(output.lines().count(), 1, "{output}");
    }
}

#[tokio::test]
async fn a_server_without_its_store_of_pictures_does_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let start = |images: &str, endpoint: &str| {
        let mut command = command(&sqlite(folder.path()), folder.path(), "127.0.0.1:0");
        command.args(["--images", images]).env("AWS_ENDPOINT_URL", endpoint).env("AWS_ALLOW_HTTP", "true");
        command.env("AWS_ACCESS_KEY_ID", "key").env("AWS_SECRET_ACCESS_KEY", "hidden");
        refusal(command.spawn().unwrap())
    };
    for (images, endpoint, words) in [
        // A port on which nothing listens.
        ("s3://pictures", "http://127.0.0.1:1", "can't keep pictures: can't use the bucket `pictures`"),
        ("s3://pictures", "http://s3.example.org", "must begin with https://"),
        ("s3://", "https://s3.example.org", "neither the path of a folder nor s3://BUCKET"),
    ] {
        let output = start(images, endpoint);
        assert!(output.contains(words) && !output.contains("hidden"), "{output}");
    }
}

#[tokio::test]
async fn a_second_server_on_the_same_port_is_refused() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = Process::start(&sqlite(one.path()), one.path()).await;
    let address = first.url.trim_start_matches("http://");
    let output = refusal(command(&sqlite(other.path()), other.path(), address).spawn().unwrap());
    assert!(output.contains(address), "the line names the address: {output}");
    assert!(!output.contains("panicked"), "{output}");
}
