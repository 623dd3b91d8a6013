//! The examples of proxies in front of several servers: an auction goes to one of them, and to another one
//! when that is down.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;

use axum::Router;
use axum::routing::any;
use reqwest::{Client, Method};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use super::{Proxy, client, example, is_installed, replaced, run_caddy, run_haproxy, run_nginx, url};

/// The addresses in the examples.
const SERVERS: [&str; 2] = ["10.0.0.11:3000", "10.0.0.12:3000"];
const AUCTIONS: usize = 24;

/// Answers every request with its name. Its connections end with the runtime.
async fn named(name: &'static str) -> (SocketAddr, Runtime) {
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let site = Router::new().fallback(any(move || async move { name }));
    let served = async move {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, site).await.unwrap() });
        address
    };
    (runtime.spawn(served).await.unwrap(), runtime)
}

/// Returns when the connections have ended.
async fn stop(runtime: Runtime) {
    tokio::task::spawn_blocking(|| drop(runtime)).await.unwrap();
}

/// The server that answers for each auction: the same one for the page, a bid and the stream.
async fn servers_of_auctions(proxy: &Proxy, client: &Client) -> BTreeMap<usize, String> {
    let mut found = BTreeMap::new();
    for auction in 0..AUCTIONS {
        let mut names = BTreeSet::new();
        for (method, path) in [
            (Method::GET, format!("/auctions/{auction}")),
            (Method::GET, format!("/auctions/{auction}/items/7?page=2")),
            (Method::POST, format!("/api/auctions/{auction}/items/7/bids")),
            (Method::GET, format!("/api/auctions/{auction}/events")),
        ] {
            let answer = client.request(method, url(proxy, &path)).send().await.unwrap();
            assert_eq!(answer.status(), 200, "{path}");
            names.insert(answer.text().await.unwrap());
        }
        assert_eq!(names.len(), 1, "auction {auction}: {names:?}");
        found.extend(names.pop_first().map(|name| (auction, name)));
    }
    found
}

/// `start` starts the proxy with its files in a folder, and replaces the addresses of the example.
async fn keeps_auctions_together(program: &str, start: impl Fn(&Path, &[(&'static str, String)]) -> Proxy) {
    if !is_installed(program) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let ((one, first), (two, second)) = (named("one").await, named("two").await);
    let addresses = [one, two].map(|address| address.to_string());
    let proxy = start(folder.path(), &Vec::from_iter(SERVERS.into_iter().zip(addresses)));
    let client = client(&proxy).await;
    let found = servers_of_auctions(&proxy, &client).await;
    let names = found.values().map(String::as_str).collect::<BTreeSet<_>>();
    assert_eq!(names, BTreeSet::from(["one", "two"]), "both servers have auctions");
    // What belongs to no auction is spread.
    let mut others = BTreeSet::new();
    while others.len() < 2 {
        let answer = client.post(url(&proxy, "/api/auth/login")).send().await.unwrap();
        others.insert(answer.text().await.unwrap());
    }
    assert_eq!(servers_of_auctions(&proxy, &client).await, found, "and keep them");

    stop(first).await;
    // The proxy may have to learn first that connections to it are closed.
    while client.get(url(&proxy, "/auctions/0")).send().await.unwrap().status() != 200 {}
    let left = servers_of_auctions(&proxy, &client).await;
    assert!(left.values().all(|name| name == "two"), "{left:?}");
    stop(second).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nginx_keeps_auctions_together() {
    keeps_auctions_together("nginx", |folder, addresses| {
        let site =
            replaced(example("nginx.conf"), &[("http://127.0.0.1:3000;", "http://farthing;".to_owned())]);
        run_nginx(folder, replaced(example("servers/nginx.conf"), addresses) + &site)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn caddy_keeps_auctions_together() {
    keeps_auctions_together("caddy", |folder, addresses| {
        run_caddy(folder, &replaced(example("servers/Caddyfile"), addresses))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn haproxy_keeps_auctions_together() {
    keeps_auctions_together("haproxy", |folder, addresses| {
        let single = example("haproxy.cfg");
        let front = &single[..single.find("\nbackend farthing").unwrap()];
        run_haproxy(folder, front.to_owned() + "\n" + &replaced(example("servers/haproxy.cfg"), addresses))
    })
    .await;
}
