//! Checks of every script that is compiled: its top level, its closures and its hooks.

use super::*;

/// The top level may contain only `const`, `import` and functions, as nothing else there runs.
/// Also reports text that is too long, and comments that are never closed.
pub fn check_top_level(engine: &Engine, ast: &AST, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    let mut error = |at, why: String| wrong.push(Diagnostic::error(place(file, at), why));
    let mut top = BTreeSet::new();
    for statement in ast.statements() {
        top.insert(statement.position());
        let hint = match statement {
            Stmt::Var(_, flags, _) if flags.intersects(ASTFlags::CONSTANT) => continue,
            Stmt::Import(..) | Stmt::Export(..) | Stmt::Noop(..) => continue,
            Stmt::Var(..) => "; store values that change in `this`",
            _ => "",
        };
        let what = "the top level of a script may contain only `const`, `import` and functions";
        error(statement.position(), format!("{what}{hint}"));
    }
    // Imports inside functions would compile a file in the middle of a tick.
    each_node(ast, |node| {
        if let ASTNode::Stmt(import @ Stmt::Import(..)) = node
            && !top.contains(&import.position())
        {
            let why = "`import` belongs at the top level of a script, before its functions";
            error(import.position(), why.into());
        }
    });
    // The limit of the engine is twice as high, so that scripts fail with a message of ours.
    let most = engine.max_string_size() / 2;
    if most > 0 && file.text.len() > most {
        each_node(ast, |node| match node {
            ASTNode::Expr(Expr::StringConstant(text, at)) if text.len() > most => error(*at, text_too_large(most)),
            _ => {}
        });
    }
    wrong.extend(open_comment(engine, file));
    wrong
}

/// A character that is an error anywhere except in text and comments.
const ODD: char = '\u{1}';

/// The largest number of `/*` that are tried.
const MOST_COMMENTS: usize = 16;

/// A comment that is never closed and contains the rest of the file, so that any character may
/// follow it.
fn open_comment(engine: &Engine, file: &Arc<SourceFile>) -> Option<Diagnostic> {
    let text = &file.text;
    if !text.contains("/*") || parse(engine, &format!("{text}\n{ODD}")).is_err() {
        return None;
    }
    // The character is an error in place of the comment, but not inside of it, of text or of other
    // comments.
    let begins = |at: &usize| {
        let stopped = parse(engine, &format!("{}{ODD}", &text[..*at])).err();
        stopped.is_some_and(|e| e.position() == position_of(&Place::new(file, *at..*at)))
    };
    let mut starts = text.rmatch_indices("/*").map(|(at, _)| at).take(MOST_COMMENTS);
    let at = starts.find(begins).or_else(|| text.rfind("/*"))?;
    let why = "this comment is never closed and contains the rest of the file; end it with `*/`";
    Some(Diagnostic::error(Place::new(file, at..at + 2), why))
}

/// Closures that use the object whose method they are passed to; Rhai does not let both use it at
/// once.
pub fn check_closures(ast: &AST, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    each_node(ast, |node| {
        if let ASTNode::Expr(Expr::Dot(dot, ..)) = node
            && let (Expr::Variable(object, ..), Expr::MethodCall(call, _)) = (&dot.lhs, &dot.rhs)
        {
            let captured = call.args.iter().filter_map(closure).flat_map(|closure| closure.captured);
            for (name, _) in captured.filter(|(name, _)| *name.name == *object.1) {
                let why = format!(
                    "this closure uses `{0}` while a method of `{0}` runs; take it as a \
                     parameter, as in `|{0}| …`",
                    object.1
                );
                wrong.push(Diagnostic::error(place(file, name.pos), why));
            }
        }
    });
    wrong
}

/// The functions of a file in their order. The syntax tree has the positions of their bodies; the
/// names come before those.
pub fn declared_functions(ast: &AST, file: &Arc<SourceFile>) -> Vec<DeclaredFunction> {
    let declared = |f: &rhai::Shared<rhai::ScriptFuncDef>| {
        let name = f.name.to_string();
        let body = place(file, f.body.start_position()).span.start;
        let start = name_before(&file.text, body, &name).unwrap_or(body);
        let place = Place::new(file, start..start + name.len());
        DeclaredFunction { parameters: f.params.iter().map(|name| name.to_string()).collect(), place, name }
    };
    // Closures are functions too, with names that the parser makes up.
    let named = ast.iter_fn_def().filter(|f| !f.name.starts_with("anon$"));
    let mut functions: Vec<DeclaredFunction> = named.map(declared).collect();
    functions.sort_by_key(|f| f.place.span.start);
    functions
}

/// The last place before `end` where a function with this name is declared.
fn name_before(text: &str, end: usize, name: &str) -> Option<usize> {
    let before = &text[..end];
    before.rmatch_indices("fn").find_map(|(at, sign)| {
        let line = before[..at].rsplit('\n').next()?;
        let rest = &before[at + sign.len()..];
        let found = rest.trim_start();
        let after = found.strip_prefix(name)?.trim_start();
        let written = !line.contains("//") && found.len() < rest.len() && after.starts_with('(');
        written.then(|| end - found.len())
    })
}
