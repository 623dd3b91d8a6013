//! An SMTP server for tests, which accepts mails, refuses them, hangs, or dies at the worst moment.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// How long a mail may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the server does with a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Smtp {
    Accepts,
    /// Answers 550 to the recipient.
    Refuses,
    /// Answers 451 to the recipient.
    Defers,
    /// Closes each connection at once.
    Closes,
    /// Takes the message and closes the connection without an answer.
    DiesAfterMessage,
    /// Takes the message and never answers.
    HangsAfterMessage,
}

/// A mail that the server has taken.
#[derive(Debug, Clone)]
pub struct Mail {
    pub to: String,
    /// The message with its headers, with soft line breaks undone.
    pub text: String,
}

pub struct SmtpServer {
    pub url: String,
    shared: Arc<Shared>,
}

struct Shared {
    behaviour: Mutex<Smtp>,
    mails: Mutex<Vec<Mail>>,
    arrived: Notify,
}

impl SmtpServer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let (behaviour, mails) = (Mutex::new(Smtp::Accepts), Mutex::default());
        let shared = Arc::new(Shared { behaviour, mails, arrived: Notify::new() });
        let server = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let server = Arc::clone(&server);
                // A broken connection is the client's end.
                tokio::spawn(async move { talk(stream, &server).await.ok() });
            }
        });
        Self { url, shared }
    }

    pub fn will(&self, behaviour: Smtp) {
        *self.shared.behaviour.lock().unwrap() = behaviour;
    }

    /// All mails that were taken.
    pub fn mails(&self) -> Vec<Mail> {
        self.shared.mails.lock().unwrap().clone()
    }

    /// Waits until so many mails were taken.
    pub async fn takes(&self, count: usize) {
        let wait = async {
            while self.mails().len() < count {
                self.shared.arrived.notified().await;
            }
        };
        tokio::time::timeout(PATIENCE, wait).await.expect("a mail in time");
    }
}

async fn talk(stream: TcpStream, server: &Shared) -> std::io::Result<()> {
    let behaviour = *server.behaviour.lock().unwrap();
    if behaviour == Smtp::Closes {
        return Ok(());
    }
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 test ESMTP\r\n").await?;
    let mut to = String::new();
    while let Some(line) = lines.next_line().await? {
        let command = line.to_ascii_uppercase();
        let answer = match command.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" => "250-test\r\n250 8BITMIME",
            "RCPT" if behaviour == Smtp::Refuses => "550 no such mailbox",
            "RCPT" if behaviour == Smtp::Defers => "451 later",
            "RCPT" => {
                to = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                "250 ok"
            }
            "DATA" => {
                write.write_all(b"354 go on\r\n").await?;
                let mut text = String::new();
                while let Some(line) = lines.next_line().await?.filter(|line| line != ".") {
                    // Quoted-printable: a soft line break, and the equals sign.
                    match line.strip_suffix('=') {
                        Some(part) => text.push_str(part),
                        None => text.push_str(&format!("{line}\n")),
                    }
                }
                let text = text.replace("=3D", "=");
                server.mails.lock().unwrap().push(Mail { to: to.clone(), text });
                server.arrived.notify_waiters();
                match behaviour {
                    Smtp::DiesAfterMessage => return Ok(()),
                    Smtp::HangsAfterMessage => std::future::pending().await,
                    _ => "250 taken",
                }
            }
            "QUIT" => return write.write_all(b"221 bye\r\n").await,
            _ => "250 ok",
        };
        write.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
    Ok(())
}
