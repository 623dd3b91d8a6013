//! A user of an installation.

use anyhow::Result;
use serde_json::{Value, json};

use crate::measure::HttpClient;

const PASSWORD: &str = "a swish and a flick";

pub struct FirstUser {
    address: String,
    email: String,
    cookie: Option<String>,
}

impl FirstUser {
    pub fn register(address: &str, email: &str) -> Result<Self> {
        let mut client = HttpClient::connect(address)?;
        let account = json!({"name": "Ada", "email": email, "password": PASSWORD});
        client.post_json("/api/auth/register", &account)?;
        let cookie = client.cookie().map(str::to_owned);
        Ok(Self { address: address.to_owned(), email: email.to_owned(), cookie })
    }

    /// Whether the user can sign in at another address.
    pub fn sign_in(&self, address: &str) -> Result<bool> {
        let credentials = json!({"email": self.email, "password": PASSWORD});
        let answer = HttpClient::connect(address)?.send_json("POST", "/api/auth/login", &credentials)?;
        Ok(answer.status == 200)
    }

    /// The status of a page. Each request has a connection of its own, because a restart closes them.
    pub fn get(&self, path: &str) -> Result<u16> {
        Ok(self.client()?.get(path, "identity")?.status)
    }

    /// The status of the answer.
    pub fn send(&self, method: &str, path: &str, body: &Value) -> Result<u16> {
        Ok(self.client()?.send_json(method, path, body)?.status)
    }

    pub fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.client()?.post_json(path, body)
    }

    pub fn read(&self, path: &str) -> Result<Value> {
        self.client()?.get_json(path)
    }

    fn client(&self) -> Result<HttpClient> {
        HttpClient::resume(&self.address, self.cookie.as_deref())
    }
}
