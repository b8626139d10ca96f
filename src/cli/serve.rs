//! `serve`: worlds that other programs drive.

use super::{web::built_page, *};
use hangtime_service::{ServedGame, Service, ServiceLimits, ServiceOptions};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Where the token may be, so that it is not in lists of processes.
const TOKEN_VARIABLE: &str = "HANGTIME_TOKEN";

/// Where the page is unless `--listen` says otherwise: always at the same address, so that an open page finds the service
/// again after a restart.
const PAGE_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7777);

/// How often to look for signals.
const LOOK: Duration = Duration::from_millis(20);

/// Arguments of `serve`.
#[derive(Args)]
pub struct ServeArguments {
    /// Listen on this address, over TCP and WebSocket, instead of stdin and stdout; port 0 chooses one
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = listen_address)]
    listen: Option<SocketAddr>,
    /// Have a web page on the same port, to play, edit and watch; clients may then watch the worlds of others. Listens on
    /// 127.0.0.1:7777 unless `--listen` is given
    #[arg(long)]
    web: bool,
    /// Let the page change the files of the game
    #[arg(long, requires = "web")]
    write: bool,
    /// The folder of the page [default: the page of this program, or web/dist of the game folder or of the sources]
    #[arg(long, value_name = "DIR", requires = "web")]
    page: Option<PathBuf>,
    /// What clients have to know; needed beyond this machine. Better in the variable HANGTIME_TOKEN, where other users do
    /// not see it
    #[arg(long, value_name = "TEXT")]
    token: Option<String>,
    /// Let clients set higher budgets and limits for scripts than the game's files do
    #[arg(long)]
    trust_settings: bool,
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

/// An address to listen on. A port alone is one of this machine, and so is one of `localhost`.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost").unwrap_or(text);
    if let Ok(port) = port.strip_prefix(':').unwrap_or(port).parse() {
        return Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    }
    text.parse()
        .map_err(|_| "write an IP address and a port, as in `127.0.0.1:7777`, or a port alone".into())
}

/// Serves until the client ends it, or a signal does, and returns the exit code.
pub fn serve(folder: GameFolder, arguments: &ServeArguments, page: Option<PageFiles>) -> Exit {
    let token = arguments.token.clone().or_else(|| std::env::var(TOKEN_VARIABLE).ok());
    let token = token.filter(|token| !token.is_empty());
    let listen = arguments.listen.or(arguments.web.then_some(PAGE_ADDRESS));
    if let Some(address) = listen
        && !address.ip().is_loopback()
        && token.is_none()
    {
        tell(format_args!(
            "error: {address} can be reached from other machines, so clients need a token: set {TOKEN_VARIABLE}, or \
             pass `--token TEXT`; `--listen 127.0.0.1:{}` is for this machine only",
            address.port()
        ));
        return Ok(UNUSABLE);
    }
    let game = Arc::new(ServedGame::load(folder)?);
    if game.project().all_levels().is_empty() {
        warn(&[not_a_game(game.project().folder())]);
        return Ok(UNUSABLE);
    }
    let built = built_page(game.project().folder(), arguments.page.as_deref(), page);
    let (mut page, missing) = match built {
        Ok(page) if arguments.web => (page, None),
        // Clients can watch without a page.
        built => (PageFiles::default(), built.err()),
    };
    page.put_service(arguments.write);
    let options = ServiceOptions {
        limits: arguments.limits(),
        token,
        web: arguments.web,
        page,
        writes: arguments.write,
        trust_settings: arguments.trust_settings,
    };
    let interrupt = Interrupt::watch();
    let service = Service::new(game, options);
    let started = match listen {
        None => service.serve_stdio(),
        Some(address) => service.listen(address).map(|address| {
            tell(format_args!("listening on {address}"));
            match &missing {
                _ if !arguments.web => {}
                None => tell(format_args!("the page is at http://{}/", here(address))),
                Some(missing) => tell(format_args!("warning: {missing}")),
            }
        }),
    };
    if let Err(error) = started {
        let place = listen.map(|address| format!(" on {address}")).unwrap_or_default();
        let hint = if arguments.web && arguments.listen.is_none() {
            "; `--listen 127.0.0.1:0` takes a free port"
        } else {
            ""
        };
        tell(format_args!("error: cannot serve{place}: {error}{hint}"));
        return Ok(UNUSABLE);
    }
    while !service.wait(LOOK) && !interrupt.arrived() && service.lost_output().is_none() {}
    service.stop();
    if let Some(why) = service.lost_output() {
        tell(format_args!("error: cannot write to stdout: {why}"));
        return Ok(UNUSABLE);
    }
    Ok(SUCCESS)
}

/// The address at which a browser on this machine finds a service that listens on `address`.
fn here(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(PAGE_ADDRESS.ip());
    }
    address
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

#[cfg(test)]
#[path = "../../tests/unit/cli/serve.rs"]
mod tests;
