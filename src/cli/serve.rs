//! `serve`: worlds that other programs drive.

use super::interrupt::Interrupt;
use super::output::{SUCCESS, UNUSABLE, unusable, whole};
use crate::project::GameFolder;
use crate::project::terminal::tell;
use crate::service::{ServedGame, Service, ServiceLimits, ServiceOptions};
use clap::Args;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// Where the token may be, so that it is not in lists of processes.
const TOKEN_VARIABLE: &str = "HANGTIME_TOKEN";

/// How often to look for signals.
const LOOK: Duration = Duration::from_millis(20);

/// Arguments of `serve`.
#[derive(Args)]
pub struct ServeArguments {
    /// Listen on this address, over TCP and WebSocket, instead of stdin and stdout; port 0 chooses one
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// What clients have to know; needed beyond this machine. Better in the variable HANGTIME_TOKEN, where other users do
    /// not see it
    #[arg(long, value_name = "TEXT")]
    token: Option<String>,
    /// Most worlds of all clients together
    #[arg(long, value_name = "N", default_value_t = 4096, allow_negative_numbers = true, value_parser = whole::<u32>(1, 65_536))]
    most_worlds: u32,
    /// Most memory of all worlds together, in MB, as it is estimated
    #[arg(long, value_name = "MB", default_value_t = 2048, allow_negative_numbers = true, value_parser = whole::<u32>(1, 1 << 20))]
    most_memory: u32,
    /// Longest message, in KB
    #[arg(long, value_name = "KB", default_value_t = 16_384, allow_negative_numbers = true, value_parser = whole::<u32>(1, 1 << 20))]
    most_message: u32,
    /// Most ticks of a request
    #[arg(long, value_name = "N", default_value_t = 1_000_000, allow_negative_numbers = true, value_parser = whole::<u64>(1, 1 << 32))]
    most_ticks: u64,
    /// Most clients at the same time
    #[arg(long, value_name = "N", default_value_t = 1024, allow_negative_numbers = true, value_parser = whole::<u32>(1, 65_536))]
    most_clients: u32,
    /// Close connections that are silent for this long, in s; 0 never does
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, allow_negative_numbers = true, value_parser = whole::<u64>(0, 1 << 32))]
    idle: u64,
}

/// Serves until the client ends it, or a signal does, and returns the exit code.
pub fn serve(folder: GameFolder, arguments: &ServeArguments) -> u8 {
    let token = arguments.token.clone();
    let token = token.or_else(|| std::env::var(TOKEN_VARIABLE).ok());
    let token = token.filter(|token| !token.is_empty());
    if let Some(address) = arguments.listen
        && !address.ip().is_loopback()
        && token.is_none()
    {
        tell(format_args!(
            "error: {address} can be reached from other machines, so clients need a token: set {TOKEN_VARIABLE}, or \
             pass `--token TEXT`; `--listen 127.0.0.1:{}` is for this machine only",
            address.port()
        ));
        return UNUSABLE;
    }
    let game = match ServedGame::load(folder) {
        Ok(game) => Arc::new(game),
        Err(error) => return unusable(&error),
    };
    let options = ServiceOptions {
        limits: arguments.limits(),
        token,
    };
    let interrupt = Interrupt::watch();
    let service = Service::new(game, options);
    let started = match arguments.listen {
        None => service.serve_stdio(),
        Some(address) => service.listen(address).map(|address| {
            tell(format_args!("listening on {address}"));
        }),
    };
    if let Err(error) = started {
        let place = arguments
            .listen
            .map_or_else(String::new, |address| format!(" on {address}"));
        tell(format_args!("error: cannot serve{place}: {error}"));
        return UNUSABLE;
    }
    while !service.wait(LOOK) && !interrupt.arrived() {}
    service.stop();
    SUCCESS
}

impl ServeArguments {
    fn limits(&self) -> ServiceLimits {
        ServiceLimits {
            worlds: self.most_worlds as usize,
            memory: u64::from(self.most_memory) << 20,
            message: (self.most_message as usize) << 10,
            ticks: self.most_ticks,
            idle: (self.idle > 0).then(|| Duration::from_secs(self.idle)),
            clients: self.most_clients as usize,
            ..ServiceLimits::default()
        }
    }
}
