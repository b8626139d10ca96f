//! Calls of functions of the layer below, such as `base::model(me)`.

use super::*;

/// The module with the functions of the layers below.
pub const BASE: &str = "base";

/// A call of a function of the layer below.
pub struct BaseCall {
    /// The function's name.
    pub name: String,
    /// The number of arguments.
    pub arguments: usize,
    /// Where it is called.
    pub place: Place,
}

/// The calls of a script with `base::`. A script that imports a module of this name calls that.
pub fn base_calls(ast: &AST, file: &Arc<SourceFile>) -> Vec<BaseCall> {
    let mut calls = Vec::new();
    let imports = |statement: &Stmt| matches!(statement, Stmt::Import(import, _) if import.1.name == BASE);
    if !file.text.contains(BASE) || ast.statements().iter().any(imports) {
        return calls;
    }
    each_node(ast, |node| {
        if let Some(call) = call_of(node)
            && let [module] = call.namespace.path.as_slice()
            && module.name == BASE
        {
            calls.push(BaseCall {
                name: call.name.to_string(),
                arguments: call.args.len(),
                place: place(file, module.pos),
            });
        }
    });
    calls
}
