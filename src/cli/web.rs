//! `web`: the game in a browser, served from this machine or written into a folder.

use super::{play::find_level, *};
use hangtime_game::is_game_folder;
use std::net::{Ipv4Addr, SocketAddr};
use tiny_http::{Header, Method, Request, Response, Server, StatusCode};

/// How often to look for signals.
const LOOK: Duration = Duration::from_millis(100);

/// Where the built page is in the sources.
const BUILT: &str = "web/dist";

/// Arguments of `web`.
#[derive(Args)]
pub struct WebArguments {
    /// Port of 127.0.0.1 to serve the page at; 0 chooses one
    #[arg(long, value_name = "N", default_value_t = 7778)]
    port: u16,
    /// Write a folder that any web server can serve, instead of serving it
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
    /// The folder of the page [default: the page of this program, or web/dist of the game folder or of the sources]
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
}

/// Runs the command and returns the exit code.
pub fn web(folder: GameFolder, arguments: &WebArguments, page: Option<PageFiles>) -> Exit {
    let mut page = match built_page(&folder, arguments.page.as_deref(), page) {
        Ok(page) => page,
        Err(missing) => {
            tell(format_args!("error: {missing}"));
            return Ok(UNUSABLE);
        }
    };
    if let Some(to) = &arguments.export {
        put_game(&mut page, &folder)?;
        page.write(to)?;
        tell(format_args!("wrote {}: upload it to any web server", to.display()));
        return Ok(SUCCESS);
    }
    let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), arguments.port);
    let server = match Server::http(address) {
        Ok(server) => server,
        Err(error) => {
            tell(format_args!("error: cannot serve on {address}: {error}; `--port 0` takes a free port"));
            return Ok(UNUSABLE);
        }
    };
    let port = server.server_addr().to_ip().map_or(arguments.port, |address| address.port());
    tell(format_args!("the game is at http://127.0.0.1:{port}/"));
    let interrupt = Interrupt::watch();
    while !interrupt.arrived() {
        // A client that is gone needs no answer.
        if let Ok(Some(request)) = server.recv_timeout(LOOK) {
            let _ = answer(&mut page, &folder, port, request);
        }
    }
    Ok(SUCCESS)
}

/// The page next to the game, or in the sources that this program was built from; otherwise the one that it `has`.
///
/// # Errors
/// That there is none, with what makes it.
pub fn built_page(folder: &GameFolder, named: Option<&Path>, has: Option<PageFiles>) -> Result<PageFiles, String> {
    let program = std::env::current_exe().ok();
    let above = program.iter().flat_map(|program| program.ancestors().skip(1));
    let usual = std::iter::once(folder.path()).chain(above).map(|place| place.join(BUILT));
    let places: Vec<PathBuf> = named.map_or_else(|| usual.collect(), |named| vec![named.into()]);
    let found = places.iter().find_map(|place| PageFiles::read(place).ok());
    found.or(has.filter(|_| named.is_none())).ok_or_else(|| {
        let place = named.unwrap_or(Path::new(BUILT)).display();
        format!("no page was found in {place}. To make one, run `web/build` in a copy of hangtime's source code")
    })
}

/// Puts the game at hand into the page. Where there is none, the page has the built-in playground.
fn put_game(page: &mut PageFiles, folder: &GameFolder) -> Result<(), Error> {
    if !is_game_folder(folder.path()) {
        return Ok(());
    }
    let project = Project::load(folder.clone())?;
    let level = find_level(&project, None).or_else(|error| project.levels().into_iter().next().ok_or(error))?;
    let level = level.strip_prefix(folder.path()).unwrap_or(&level);
    page.put_game(folder, &level.to_string_lossy().replace('\\', "/"))
}

/// Answers a request. Other sites must not read the game under a name of theirs that leads here.
fn answer(page: &mut PageFiles, folder: &GameFolder, port: u16, request: Request) -> io::Result<()> {
    let plain = |code: u16, text: &str| Response::from_string(text).with_status_code(StatusCode(code));
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let host = request.headers().iter().find(|header| header.field.equiv("Host"));
    if !host.is_some_and(|host| hosts.iter().any(|known| host.value == known.as_str())) {
        return request.respond(plain(403, "this page is for this machine only\n"));
    }
    if ![Method::Get, Method::Head].contains(request.method()) {
        return request.respond(plain(405, "only GET and HEAD are answered\n"));
    }
    let path = request.url().split(['?', '#']).next().unwrap_or_default();
    let name = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
    // The files as they are now: reloading the page shows what was saved in an editor.
    if name == "game.json"
        && let Err(error) = put_game(page, folder)
    {
        let text = format!("{error}\n");
        tell(format_args!("error: {error}"));
        return request.respond(plain(500, &text));
    }
    let Some(bytes) = page.get(name) else {
        return request.respond(plain(404, "there is no such file\n"));
    };
    let kind = PageFiles::content_type(name);
    let mut response = Response::from_data(bytes);
    for (field, value) in [("Content-Type", kind), ("Cache-Control", "no-cache"), ("X-Content-Type-Options", "nosniff")]
    {
        // Both are constant and plain, so they are headers.
        if let Ok(header) = Header::from_bytes(field, value) {
            response.add_header(header);
        }
    }
    request.respond(response)
}
