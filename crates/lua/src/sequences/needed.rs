//! The local variables that a function remembers where it waits: those that are read before its next waits, and those that
//! are needed after these.

use super::*;
use std::{mem, rc::Rc};

/// Local variables by their names, with the levels of the blocks that declare them.
type LocalLevels<'w> = BTreeMap<&'w str, usize>;

/// A part of a function in the order in which it runs.
#[derive(Default)]
struct FlowPart<'w> {
    uses: LocalLevels<'w>,
    declares: LocalLevels<'w>,
    wait: Option<usize>,
    /// The parts that may come next.
    next: Vec<usize>,
}

/// The places among the parts to which a loop goes: its next round, and what follows it.
type LoopEnds = Option<[usize; 2]>;

/// The parts of a function.
struct FlowParts<'f, 'w> {
    of: &'f WaitingFunction<'w>,
    all: Vec<FlowPart<'w>>,
}

impl<'w> WaitingFunction<'w> {
    /// Finds the local variables at each wait.
    pub fn find_locals(&self, block: &[Statement], level: usize, locals: &mut WaitLocals) {
        for statement in block {
            self.declared(statement).for_each(|name| locals.declare(name, level, false));
            if self.wait_of(statement).is_some() {
                locals.wait();
            } else if self.has_waits(statement) {
                statement
                    .blocks()
                    .into_iter()
                    .for_each(|inner| self.find_locals(inner, level + 1, locals));
            }
        }
        locals.leave(level);
    }

    /// The local variables that a statement declares for those that follow it.
    fn declared(&self, statement: &Statement) -> impl Iterator<Item = &'w str> {
        let names = match &statement.kind {
            StatementKind::Local(names) => names.as_slice(),
            _ => &[],
        };
        names.iter().map(|name| self.words[*name].text).filter(|name| *name != "_")
    }

    /// Finds the local variables that are needed after each wait: they are followed from where they are used back to where
    /// they are declared.
    pub fn find_needed(&self, body: &[Statement], locals: &mut WaitLocals) {
        let mut parts = FlowParts { of: self, all: vec![FlowPart::default()] };
        parts.block(body, 0, None, (&self.event.map(|event| (event, 0)).into_iter().collect(), 0));
        let parts = parts.all;
        let mut before = vec![Vec::new(); parts.len()];
        for (place, part) in parts.iter().enumerate() {
            part.next.iter().for_each(|next| before[*next].push(place));
        }
        let all = locals.at.iter().flatten().map(|local| (local.name.clone(), local.level));
        let mut needed = BTreeSet::new();
        for (name, level) in all.collect::<BTreeSet<_>>() {
            let mut after = vec![false; parts.len()];
            let uses = |place: &usize| parts[*place].uses.get(&*name) == Some(&level);
            let mut open: Vec<usize> = (0..parts.len()).filter(uses).collect();
            while let Some(place) = open.pop() {
                for earlier in &before[place] {
                    // In an inner block, another variable only hides it.
                    let begins = parts[*earlier].declares.get(&*name).is_some_and(|of| *of <= level);
                    if !mem::replace(&mut after[*earlier], true) && !begins {
                        open.push(*earlier);
                    }
                }
            }
            let waits = parts.iter().zip(after).filter_map(|(part, after)| part.wait.filter(|_| after));
            needed.extend(waits.map(|wait| (wait, name.clone(), level)));
        }
        for (wait, at) in locals.at.iter().enumerate() {
            let at = at.iter().filter(|local| needed.contains(&(wait, local.name.clone(), local.level)));
            locals.needed[wait] = at.map(|local| local.name.clone()).collect();
        }
    }
}

impl<'w> FlowParts<'_, 'w> {
    fn add(
        &mut self,
        words: impl IntoIterator<Item = Range<usize>>,
        next: Vec<usize>,
        scope: &LocalLevels<'w>,
    ) -> usize {
        let free = words.into_iter().flat_map(|words| FileVariables::of(&self.of.words[words]).free);
        let uses = free.filter_map(|(_, name)| scope.get_key_value(&*name).map(|(name, level)| (*name, *level)));
        self.all.push(FlowPart { uses: uses.collect(), next, ..FlowPart::default() });
        self.all.len() - 1
    }

    /// Adds a block of this level, the last statement first. Returns where it begins.
    fn block(
        &mut self,
        block: &[Statement],
        next: usize,
        around: LoopEnds,
        (outside, level): (&LocalLevels<'w>, usize),
    ) -> usize {
        let mut scope = Rc::new(outside.clone());
        let mut scopes = Vec::new();
        for statement in block {
            scopes.push(scope.clone());
            for name in self.of.declared(statement) {
                Rc::make_mut(&mut scope).insert(name, level);
            }
        }
        let statements = block.iter().zip(&scopes).rev();
        statements.fold(next, |next, (statement, scope)| self.statement(statement, next, around, (scope, level)))
    }

    /// Whether a statement may leave a round of the loop around it.
    fn leaves(&self, statement: &Statement) -> bool {
        let leaves = ["break", "continue"].contains(&self.of.words[statement.words.start].text);
        let mut inner = statement.blocks().into_iter().flatten();
        leaves || !statement.is_loop() && inner.any(|statement| self.leaves(statement))
    }

    fn statement(
        &mut self,
        statement: &Statement,
        next: usize,
        around: LoopEnds,
        (scope, level): (&LocalLevels<'w>, usize),
    ) -> usize {
        let (words, values) = (statement.words.clone(), statement.values.clone());
        if !self.of.has_waits(statement) {
            let leaves = self.leaves(statement);
            let mut all: Vec<usize> = around.into_iter().flatten().filter(|_| leaves).collect();
            all.extend((!matches!(statement.kind, StatementKind::Return)).then_some(next));
            let part = self.add([words], all, scope);
            self.all[part].declares = self.of.declared(statement).map(|name| (name, level)).collect();
            return part;
        }
        let inside = (scope, level + 1);
        match &statement.kind {
            StatementKind::If(clauses, _) => {
                let mut all: Vec<usize> =
                    statement.blocks().into_iter().map(|it| self.block(it, next, around, inside)).collect();
                // As if a block might not end in a wait.
                all.push(next);
                self.add(clauses.iter().map(|(condition, _)| condition.clone()), all, scope)
            }
            StatementKind::While(block) => {
                let begin = self.add([values], vec![next], scope);
                let inner = self.block(block, begin, Some([begin, next]), inside);
                self.all[begin].next.push(inner);
                begin
            }
            StatementKind::Repeat(block, condition) => {
                // The condition sees what the block declares.
                let mut seen = scope.clone();
                seen.extend(block.iter().flat_map(|it| self.of.declared(it)).map(|name| (name, level + 1)));
                let end = self.add([condition.clone()], vec![next], &seen);
                let begin = self.block(block, end, Some([end, next]), inside);
                self.all[end].next.push(begin);
                begin
            }
            StatementKind::Do(block) => self.block(block, next, around, inside),
            _ => {
                let begin = self.add([words], vec![next], scope);
                self.all[begin].wait = self.of.wait_of(statement);
                begin
            }
        }
    }
}
