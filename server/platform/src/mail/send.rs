//! Sends mails, each on a connection of its own.

use std::time::Duration;

use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use tokio::time::timeout;

use super::server::{Starttls, Tls};
use super::{MailFrom, MailMessage, SmtpUrl};

/// How long the server may take to say goodbye.
const QUIT_MAX: Duration = Duration::from_secs(2);

/// Sends mails of one sender through one server.
#[derive(Debug, Clone)]
pub struct Mailer {
    server: SmtpUrl,
    from: MailFrom,
    /// How this machine calls itself.
    hello: String,
    timeouts: SendTimeouts,
}

/// How long the server may take, together less than [`SendError::SECONDS_MAX`].
#[derive(Debug, Clone, Copy)]
pub struct SendTimeouts {
    /// For the connection, the greeting, TLS, the sign-in and the addresses.
    pub begin: Duration,
    /// To accept the message.
    pub message: Duration,
}

impl Default for SendTimeouts {
    fn default() -> Self {
        Self { begin: Duration::from_secs(20), message: Duration::from_secs(60) }
    }
}

/// Why a mail was not sent, or may not have been.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// Another attempt would be refused as well.
    #[error("the mail was refused: {0}")]
    Refused(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The server has not accepted it. Another attempt may succeed.
    #[error("the mail was not sent: {0}")]
    NotSent(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The connection broke before the server's answer: it may have accepted the mail.
    #[error("it is not known whether the mail was sent: {0}")]
    Unknown(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl SendError {
    /// The longest time that an attempt takes.
    pub const SECONDS_MAX: i64 = 90;

    /// An error from before the message.
    fn before(error: SmtpError) -> Self {
        if error.is_permanent() { Self::Refused(error.into()) } else { Self::NotSent(error.into()) }
    }
}

impl Mailer {
    pub fn new(server: SmtpUrl, from: MailFrom, hello: String) -> Self {
        Self { server, from, hello, timeouts: SendTimeouts::default() }
    }

    #[must_use]
    pub fn with_timeouts(self, timeouts: SendTimeouts) -> Self {
        Self { timeouts, ..self }
    }

    /// Sends a mail. At its end the server has accepted it.
    pub async fn send(&self, message: MailMessage) -> Result<(), SendError> {
        let message = message.build(&self.from).map_err(SendError::Refused)?;
        let begun = timeout(self.timeouts.begin, self.begin(&message)).await;
        let mut connection = begun.map_err(|late| SendError::NotSent(late.into()))??;
        let sent = match timeout(self.timeouts.message, connection.message(&message.formatted())).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) if error.is_permanent() => Err(SendError::Refused(error.into())),
            Ok(Err(error)) if error.is_transient() => Err(SendError::NotSent(error.into())),
            Ok(Err(error)) => Err(SendError::Unknown(error.into())),
            Err(late) => Err(SendError::Unknown(late.into())),
        };
        // The mail is accepted or not, whatever the goodbye is.
        let _ = timeout(QUIT_MAX, connection.abort()).await;
        sent
    }

    /// A connection on which the server waits for the message.
    async fn begin(&self, message: &lettre::Message) -> Result<AsyncSmtpConnection, SendError> {
        let mut connection = self.connect().await?;
        let envelope = message.envelope();
        let mut options = Vec::new();
        if envelope.to().iter().chain(envelope.from()).any(|address| !address.to_string().is_ascii()) {
            if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
                return Err(SendError::Refused("the server takes no address with such letters".into()));
            }
            options.push(MailParameter::SmtpUtfEight);
        }
        let mail = Mail::new(envelope.from().cloned(), options);
        connection.command(mail).await.map_err(SendError::before)?;
        for to in envelope.to() {
            connection.command(Rcpt::new(to.clone(), Vec::new())).await.map_err(SendError::before)?;
        }
        connection.command(Data).await.map_err(SendError::before)?;
        Ok(connection)
    }

    /// A connection, signed in if there are credentials. A refusal here is of this installation, not of one
    /// mail.
    async fn connect(&self) -> Result<AsyncSmtpConnection, SendError> {
        let mut connection = self.open().await?;
        let (starttls, offers_tls) = (self.server.starttls(), connection.can_starttls());
        let mut has_tls = self.server.tls == Tls::Always;
        if starttls != Starttls::Never && offers_tls {
            let hello = self.hello();
            let begun = connection.starttls(self.tls(starttls)?, &hello).await;
            has_tls = begun.is_ok();
            match begun {
                Err(_) if starttls == Starttls::Unverified => connection = self.open().await?,
                begun => begun.map_err(not_sent)?,
            }
        }
        if let Some((user, password)) = &self.server.credentials {
            if !has_tls && !self.server.trusts_plain() {
                let reason = "the server offers no TLS, so the password is not sent: use an address with smtps://, or \
                              end it with ?tls=off";
                return Err(SendError::NotSent(reason.into()));
            }
            let credentials = Credentials::new(user.clone(), password.clone());
            let not_signed_in =
                |error| SendError::NotSent(format!("can't sign in as `{user}`: {error}").into());
            connection.auth(DEFAULT_MECHANISMS, &credentials).await.map_err(not_signed_in)?;
        }
        Ok(connection)
    }

    /// A connection on which the server has said what it offers.
    async fn open(&self) -> Result<AsyncSmtpConnection, SendError> {
        let address = (self.server.host.as_str(), self.server.port);
        let wrapper = if self.server.tls == Tls::Always { Some(self.tls(Starttls::Verified)?) } else { None };
        let (begin, hello) = (Some(self.timeouts.begin), self.hello());
        let opened = AsyncSmtpConnection::connect_tokio1(address, begin, &hello, wrapper, None).await;
        opened.map_err(|error| {
            if !self.server.is_loopback() || !is_refused(&error) {
                return not_sent(error);
            }
            let reason = format!(
                "nothing listens at {}. A program that only sends, such as dma, takes no mail here: name the server \
                 that it sends to",
                self.server
            );
            SendError::NotSent(reason.into())
        })
    }

    fn tls(&self, starttls: Starttls) -> Result<TlsParameters, SendError> {
        let builder = TlsParameters::builder(self.server.host.clone());
        let is_any = starttls == Starttls::Unverified;
        builder
            .dangerous_accept_invalid_certs(is_any)
            // The certificate of a mail server as Debian installs it names the machine, not 127.0.0.1.
            .dangerous_accept_invalid_hostnames(is_any)
            .build_rustls()
            .map_err(not_sent)
    }

    fn hello(&self) -> ClientId {
        ClientId::Domain(self.hello.clone())
    }
}

/// Whether no program listens at the address.
fn is_refused(error: &SmtpError) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<std::io::Error>());
    source.is_some_and(|source| source.kind() == std::io::ErrorKind::ConnectionRefused)
}

fn not_sent(error: SmtpError) -> SendError {
    SendError::NotSent(error.into())
}
