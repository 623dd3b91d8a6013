//! The examples of reverse proxies in `docs/operate/proxies/`, each in front of a server, if the proxy is
//! installed.

mod servers;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::redirect::Policy;
use reqwest::{Certificate, Client};
use serde_json::{Value, json};

use crate::harness::{PASSWORD, http, times};
use crate::process::{Process, command, sqlite};
use crate::routes::auctions::items::images::with_parts;

/// The name in the examples.
const NAME: &str = "auctions.example.org";
/// The address of the clients: the proxy, on the same machine, has another one.
const CLIENT: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// How long a stream without events stays open, at the least.
const IDLE: (u64, u64) = (3, 75);

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operate/proxies").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// Whether a proxy is installed. Says so where its test is skipped.
#[expect(clippy::print_stderr, reason = "the reason for which a test is skipped")]
fn is_installed(program: &str) -> bool {
    let help = Command::new(program).arg("-h").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if help.is_err() {
        eprintln!("skipped: {program} is not installed");
    }
    help.is_ok()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A running proxy, killed on drop.
struct Proxy {
    child: Child,
    https: u16,
    /// The certificate that its clients trust.
    root: PathBuf,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Replaces every text, each of which has to occur.
fn replaced(mut text: String, changes: &[(&str, String)]) -> String {
    for (from, to) in changes {
        assert!(text.contains(from), "the example has `{from}`");
        text = text.replace(from, to);
    }
    text
}

/// The example in front of a server.
fn nginx(folder: &Path, server: &str) -> Proxy {
    run_nginx(folder, replaced(example("nginx.conf"), &[("127.0.0.1:3000;", format!("{server};"))]))
}

/// The site needs the ports and the certificate of the test, and no IPv6.
fn run_nginx(folder: &Path, site: String) -> Proxy {
    let (http, https) = (free_port(), free_port());
    let made = rcgen::generate_simple_self_signed([NAME.to_owned()]).unwrap();
    let (root, key) = (folder.join("root.pem"), folder.join("key.pem"));
    std::fs::write(&root, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let text: Vec<&str> = site.lines().filter(|line| !line.contains("[::]")).collect();
    let live = format!("/etc/letsencrypt/live/{NAME}");
    let site = replaced(
        text.join("\n"),
        &[
            ("listen 80;", format!("listen 127.0.0.1:{http};")),
            ("listen 443 ", format!("listen 127.0.0.1:{https} ")),
            (&format!("{live}/fullchain.pem"), root.display().to_string()),
            (&format!("{live}/privkey.pem"), key.display().to_string()),
        ],
    );
    let shown = folder.display();
    let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let paths: String = paths.iter().map(|name| format!("{name}_temp_path {shown}/{name};\n")).collect();
    let whole = format!(
        "daemon off; master_process off; user root; pid {shown}/nginx.pid; error_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{site}\n}}\n"
    );
    let file = folder.join("nginx.conf");
    std::fs::write(&file, whole).unwrap();
    let mut command = Command::new("nginx");
    command.arg("-c").arg(&file).arg("-p").arg(folder);
    Proxy { child: command.spawn().unwrap(), https, root }
}

/// The example in front of a server.
fn haproxy(folder: &Path, server: &str) -> Proxy {
    let change = ("server farthing 127.0.0.1:3000", format!("server farthing {server}"));
    run_haproxy(folder, replaced(example("haproxy.cfg"), &[change]))
}

/// The site needs the ports and the certificate of the test.
fn run_haproxy(folder: &Path, site: String) -> Proxy {
    let (http, https) = (free_port(), free_port());
    let made = rcgen::generate_simple_self_signed([NAME.to_owned()]).unwrap();
    let (root, pair) = (folder.join("root.pem"), folder.join("pair.pem"));
    std::fs::write(&root, made.cert.pem()).unwrap();
    std::fs::write(&pair, made.cert.pem() + &made.signing_key.serialize_pem()).unwrap();
    let site = replaced(
        site,
        &[
            ("bind :80", format!("bind 127.0.0.1:{http}")),
            ("bind :443 ", format!("bind 127.0.0.1:{https} ")),
            (&format!("/etc/haproxy/{NAME}.pem"), pair.display().to_string()),
        ],
    );
    let file = folder.join("haproxy.cfg");
    std::fs::write(&file, site).unwrap();
    Proxy { child: Command::new("haproxy").arg("-f").arg(&file).spawn().unwrap(), https, root }
}

/// The example in front of a server.
fn caddy(folder: &Path, server: &str) -> Proxy {
    let change = ("reverse_proxy 127.0.0.1:3000", format!("reverse_proxy {server}"));
    run_caddy(folder, &replaced(example("Caddyfile"), &[change]))
}

/// The site needs ports and a certificate of its own.
fn run_caddy(folder: &Path, site: &str) -> Proxy {
    let (http, https) = (free_port(), free_port());
    let options = format!(
        "{{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port {http}\n\thttps_port {https}\n}}\n"
    );
    let file = folder.join("Caddyfile");
    std::fs::write(&file, options + site).unwrap();
    let mut command = Command::new("caddy");
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&file).stderr(Stdio::null());
    command.env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder);
    let root = folder.join("caddy/pki/authorities/local/root.crt");
    Proxy { child: command.spawn().unwrap(), https, root }
}

/// A client of the proxy that a forged header does not hide.
async fn client(proxy: &Proxy) -> Client {
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < Duration::from_secs(20), "the proxy answers in time");
        tokio::time::sleep(Duration::from_millis(100)).await;
        let Ok(root) = std::fs::read(&proxy.root) else { continue };
        let client = http()
            .tls_certs_only([Certificate::from_pem(&root).unwrap()])
            .resolve(NAME, SocketAddr::from(([127, 0, 0, 1], proxy.https)))
            .local_address(std::net::IpAddr::V4(CLIENT))
            .redirect(Policy::none())
            .cookie_store(true)
            .default_headers(
                [("x-forwarded-for".parse().unwrap(), "203.0.113.9".parse().unwrap())].into_iter().collect(),
            )
            .build()
            .unwrap();
        if client.get(url(proxy, "/healthz")).send().await.is_ok_and(|answer| answer.status() == 200) {
            return client;
        }
    }
}

fn url(proxy: &Proxy, path: &str) -> String {
    format!("https://{NAME}:{}{path}", proxy.https)
}

/// A picture of noise, which can't be compressed.
fn noise(side: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    let pixels: Vec<u8> = (0..side * side).map(|_| next()).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    bytes
}

/// Starts a server with the settings that the examples name, and tries what proxies break.
async fn serves_behind(start: impl Fn(&Path, &str) -> Proxy) {
    let folder = tempfile::tempdir().unwrap();
    let proxied = free_port();
    let listen = format!("127.0.0.1:{proxied}");
    let proxy = start(folder.path(), &listen);
    let mut serve = command(&sqlite(folder.path()), folder.path(), &listen);
    let public = url(&proxy, "");
    serve.args(["--public-url", &public, "--trusted-proxies", "127.0.0.1"]);
    let _server = Process::run(serve).await;
    let client = client(&proxy).await;
    let api = async |method: &str, path: &str, body: Value| {
        let request = client.request(method.parse().unwrap(), url(&proxy, path));
        let answer = request.header("origin", &public).json(&body).send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.json::<Value>().await.unwrap_or_default()
    };
    let person = json!({"email": "ada@example.org", "password": PASSWORD, "name": "Ada"});
    api("POST", "/api/auth/register", person).await;

    // The address is that of the client, whatever its own header says.
    let sessions = client.get(url(&proxy, "/api/user/sessions")).send().await.unwrap();
    let sessions: Value = sessions.json().await.unwrap();
    assert_eq!(sessions["sessions"][0]["address"], CLIENT.to_string(), "{sessions}");

    let auction = api("POST", "/api/auctions", json!({"name": "Sale", "joinMode": "FREE"})).await;
    let auction = auction["id"].as_str().unwrap().to_owned();
    // A form with pictures of 15 MB, as a browser sends it.
    let picture = noise(2740);
    let post = client.post(url(&proxy, &format!("/auctions/{auction}/items/new"))).header("origin", &public);
    let fields =
        [("name", "A vase"), ("currencyCode", "GBP"), ("isPublished", "true"), ("idempotencyKey", "k")];
    let files = [("one.png", picture.as_slice()), ("two.png", picture.as_slice())];
    let sent = with_parts(post, &fields, &files).send().await.unwrap();
    let (status, place) = (sent.status(), sent.headers().get("location").cloned());
    assert_eq!(status.as_u16(), 303, "{}", sent.text().await.unwrap());
    let item = place.unwrap().to_str().unwrap().to_owned();
    let item: Value =
        client.get(url(&proxy, &format!("/api{item}"))).send().await.unwrap().json().await.unwrap();
    assert_eq!(item["images"].as_array().unwrap().len(), 2);

    // An idle stream stays open, and events come without delay.
    let events = url(&proxy, &format!("/api/auctions/{auction}/events"));
    let mut stream = client.get(&events).send().await.unwrap();
    assert_eq!(stream.status().as_u16(), 200);
    tokio::time::sleep(Duration::from_secs(times(IDLE.0, IDLE.1))).await;
    let item = json!({"name": "A jug", "isPublished": true, "currencyCode": "GBP"});
    api("POST", &format!("/api/auctions/{auction}/items"), item).await;
    let (changed, mut read) = (Instant::now(), String::new());
    while !read.contains("event: item") {
        let chunk =
            tokio::time::timeout(Duration::from_secs(5), stream.chunk()).await.expect("an event in time");
        read += std::str::from_utf8(&chunk.unwrap().expect("the stream is open")).unwrap();
    }
    assert!(changed.elapsed() < Duration::from_secs(2), "{read}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nginx_passes_everything_on() {
    if is_installed("nginx") {
        serves_behind(nginx).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn caddy_passes_everything_on() {
    if is_installed("caddy") {
        serves_behind(caddy).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn haproxy_passes_everything_on() {
    if is_installed("haproxy") {
        serves_behind(haproxy).await;
    }
}
