//! An HTTP client with the cookies of one user.

use std::net::SocketAddr;

use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;

use super::log;

/// A builder of HTTP clients. It trusts no certificate: tests connect to this machine only, without TLS.
pub fn http() -> reqwest::ClientBuilder {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().tls_certs_only([])
}

/// Keeps cookies and follows no redirect.
pub struct Client {
    base: String,
    http: reqwest::Client,
}

/// A response with its complete body.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Client {
    pub fn new(address: SocketAddr) -> Self {
        let http = http().cookie_store(true).redirect(reqwest::redirect::Policy::none());
        Self { base: format!("http://{address}"), http: http.build().unwrap() }
    }

    /// A client with the same cookies for a server at another address.
    pub fn at(&self, address: SocketAddr) -> Self {
        Self { base: format!("http://{address}"), http: self.http.clone() }
    }

    /// A request builder, for requests that the methods below do not cover.
    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        self.http.request(method.parse::<Method>().unwrap(), format!("{}{path}", self.base))
    }

    pub async fn get(&self, path: &str) -> Answer {
        Answer::of(self.request("GET", path)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        Answer::of(self.request("DELETE", path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send("POST", path, body).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send("PATCH", path, body).await
    }

    pub async fn send(&self, method: &str, path: &str, body: Value) -> Answer {
        self.send_text(method, path, &body.to_string()).await
    }

    /// Sends `body` unchanged, as JSON.
    pub async fn send_text(&self, method: &str, path: &str, body: &str) -> Answer {
        let request = self.request(method, path).header("content-type", "application/json");
        Answer::of(request.body(body.to_owned())).await
    }

    /// Posts a form as a browser does.
    pub async fn post_form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = serde_urlencoded::to_string(fields).unwrap();
        let request = self.request("POST", path).header("content-type", "application/x-www-form-urlencoded");
        Answer::of(request.body(body)).await
    }
}

impl Answer {
    pub async fn of(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        Self { status, headers, text: response.text().await.unwrap() }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body as JSON. Numbers are not exact: use `text` to compare digits.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// What an assertion says of this answer.
    fn shown(&self) -> String {
        log::of(self.status.as_u16(), &self.text)
    }

    /// The body of a response that must have this status.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.shown());
        if self.text.is_empty() { Value::Null } else { self.json() }
    }

    /// The problem document of a response that must have this status and code.
    #[track_caller]
    pub fn expect_problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.shown());
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status);
        assert_eq!(problem["requestId"], self.header("x-request-id"));
        problem
    }
}
