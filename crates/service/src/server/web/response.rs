//! Answers of HTTP.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// How long a client has to read the end of an answer, and how much of what it still sends is read: a connection that is
/// closed with unread bytes may lose its answer.
const LINGER: Duration = Duration::from_secs(1);
const MOST_UNREAD: usize = 1 << 20;

/// The status of an answer, with the text for people that comes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HttpStatus {
    /// Here it is.
    Fine,
    /// There is nothing to send.
    Empty,
    /// The request cannot be read.
    Wrong,
    /// There is nothing at this path.
    Missing,
    /// The service has no page.
    NoPage,
    /// Only `GET` and `HEAD` are answered.
    Method,
    /// The head takes too long.
    Timeout,
    /// The head is too long.
    TooLong,
}

impl HttpStatus {
    const fn line(self) -> &'static str {
        match self {
            Self::Fine => "200 OK",
            Self::Empty => "204 No Content",
            Self::Wrong => "400 Bad Request",
            Self::Missing | Self::NoPage => "404 Not Found",
            Self::Method => "405 Method Not Allowed",
            Self::Timeout => "408 Request Timeout",
            Self::TooLong => "431 Request Header Fields Too Large",
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Fine | Self::Empty => "",
            Self::Wrong => "this is not an HTTP request\n",
            Self::Missing => "the only page is at /\n",
            Self::NoPage => "this service has no page; start it with `hangtime serve --web`, or open a WebSocket\n",
            Self::Method => "only GET and HEAD are answered\n",
            Self::Timeout => "the head of the request took too long\n",
            Self::TooLong => "the head of the request is too long\n",
        }
    }
}

/// An answer.
pub(super) struct HttpResponse {
    status: HttpStatus,
    headers: Vec<(&'static str, String)>,
    body: String,
    has_body: bool,
}

impl HttpResponse {
    /// An answer of a status, with the text for it.
    pub fn of(status: HttpStatus) -> Self {
        let mut answer = Self::with(status, "text/plain; charset=utf-8", status.text().into());
        if status == HttpStatus::Method {
            answer.headers.push(("Allow", "GET, HEAD".into()));
        }
        answer
    }

    /// An answer with a body of this type.
    pub fn with(status: HttpStatus, content_type: &str, body: String) -> Self {
        let headers = vec![
            ("Content-Type", content_type.to_string()),
            ("Cache-Control", "no-store".into()),
            ("X-Content-Type-Options", "nosniff".into()),
            ("Referrer-Policy", "no-referrer".into()),
            ("Connection", "close".into()),
        ];
        Self { status, headers, body, has_body: true }
    }

    /// The same answer with another header.
    pub fn header(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The same answer as `HEAD` gets it.
    pub fn without_body(mut self) -> Self {
        self.has_body = false;
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let mut text = format!("HTTP/1.1 {}\r\n", self.status.line());
        for (name, value) in &self.headers {
            text += &format!("{name}: {value}\r\n");
        }
        if self.status != HttpStatus::Empty {
            text += &format!("Content-Length: {}\r\n", self.body.len());
        }
        text += "\r\n";
        if self.has_body {
            text += &self.body;
        }
        text.into_bytes()
    }

    /// Sends it and closes the connection.
    pub fn send(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.write_all(&self.bytes())?;
        stream.shutdown(Shutdown::Write)?;
        let until = Instant::now() + LINGER;
        let (mut unread, mut part) = (0, [0; 4096]);
        while unread < MOST_UNREAD {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            stream.set_read_timeout(Some(left))?;
            match stream.read(&mut part)? {
                0 => break,
                count => unread += count,
            }
        }
        Ok(())
    }
}
