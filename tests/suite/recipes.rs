//! The recipes for many machines are correct scripts and manifests.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

fn recipes(ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/many-machines");
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let paths = entries.map(|entry| entry.path());
    let mut found: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    found.sort();
    assert!(!found.is_empty(), "no {ending}");
    found
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a recipe")
}

/// Whether a command starts and succeeds.
fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn recipes_in_shell_have_no_syntax_errors() {
    let ci = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/ray");
    for path in recipes("sh").into_iter().chain([ci]) {
        let checked = Command::new("bash").arg("-n").arg(&path).output();
        // Without bash there is nothing to check with.
        if let Ok(checked) = checked {
            let wrong = String::from_utf8_lossy(&checked.stderr).into_owned();
            assert!(checked.status.success() && wrong.is_empty(), "{wrong}");
        }
    }
}

/// Parses YAML with Python and checks the keys that the system behind a recipe requires.
const CHECK: &str = r#"
import sys, yaml
documents = list(yaml.safe_load_all(open(sys.argv[1])))
name = sys.argv[1].rsplit("/", 1)[-1]
if name == "kubernetes.yml":
    parts, merge = documents
    spec = parts["spec"]
    assert (parts["apiVersion"], parts["kind"]) == ("batch/v1", "Job")
    assert spec["completionMode"] == "Indexed"
    container = spec["template"]["spec"]["containers"][0]
    count = [e["value"] for e in container["env"] if e["name"] == "JOB_COMPLETION_COUNT"]
    assert count == [str(spec["completions"])], count
    assert spec["template"]["spec"]["restartPolicy"] == "Never"
    assert merge["kind"] == "CronJob" and merge["spec"]["suspend"] is True
    assert all(isinstance(a, str) for a in container["args"])
elif name == "github.yml":
    (workflow,) = documents
    jobs = workflow["jobs"]
    assert jobs["tests"]["needs"] == "part"
    assert jobs["part"]["strategy"]["fail-fast"] is False
    matrix = jobs["part"]["strategy"]["matrix"]["part"]
    assert matrix == list(range(1, len(matrix) + 1))
    for job in jobs.values():
        assert "runs-on" in job
        assert all(("uses" in step) != ("run" in step) for step in job["steps"])
elif name == "gitlab.yml":
    (pipeline,) = documents
    jobs = {k: v for k, v in pipeline.items() if k != "stages"}
    assert all(job["stage"] in pipeline["stages"] for job in jobs.values())
    assert all(isinstance(line, str) for job in jobs.values() for line in job["script"])
    assert pipeline["part"]["parallel"] > 1
else:
    raise SystemExit("no checks for " + name)
"#;

#[test]
fn manifests_parse_and_have_the_keys_that_their_systems_require() {
    let can_parse = succeeds("python3", &["-c", "import yaml"]);
    for path in recipes("yml") {
        let name = path.display().to_string();
        if can_parse {
            let checked = Command::new("python3").args(["-c", CHECK, &name]).output().expect("Python starts");
            let wrong = String::from_utf8_lossy(&checked.stderr).into_owned();
            assert!(checked.status.success(), "{name}: {wrong}");
        }
        // What every parser would stumble over.
        for (i, line) in text(&path).lines().enumerate() {
            assert!(!line.contains('\t'), "{name}:{}: a tab", i + 1);
            let indent = line.len() - line.trim_start().len();
            assert!(indent.is_multiple_of(2), "{name}:{}: {line}", i + 1);
        }
    }
}

#[test]
fn the_script_for_ray_compiles_and_shows_its_help() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ray/hangtime_ray.py");
    if !succeeds("python3", &["--version"]) {
        return;
    }
    let help = Command::new("python3")
        .args(["-B", &script.display().to_string(), "--help"])
        .output()
        .expect("Python starts");
    let shown = String::from_utf8_lossy(&help.stdout).into_owned();
    assert!(help.status.success(), "{}", String::from_utf8_lossy(&help.stderr));
    for option in ["--parts", "--retries", "--address", "--results"] {
        assert!(shown.contains(option), "{shown}");
    }
}

#[test]
fn every_recipe_joins_its_parts_and_is_on_the_page() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/many-machines.md");
    let page = text(&page);
    for path in recipes("sh").into_iter().chain(recipes("yml")) {
        let recipe = text(&path);
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(page.contains(&format!("(many-machines/{name})")), "{name}");
        for needed in ["--partition", "--results", "merge"] {
            assert!(recipe.contains(needed), "{name}: {needed}");
        }
    }
}
