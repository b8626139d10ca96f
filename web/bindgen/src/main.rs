//! `hangtime-bindgen ENGINE.wasm FOLDER` writes the engine and its JavaScript into a folder.

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(engine), Some(folder)) = (arguments.next(), arguments.next()) else {
        anyhow::bail!("usage: hangtime-bindgen ENGINE.wasm FOLDER");
    };
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen.input_path(engine).web(true)?;
    bindgen.remove_name_section(true).remove_producers_section(true).typescript(true);
    bindgen.generate(folder)
}
