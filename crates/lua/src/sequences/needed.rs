//! The local variables that a function remembers where it waits: those that are read before its next waits, and those that
//! are needed after these.

use super::*;

/// A part of a function in the order in which it runs.
#[derive(Default)]
struct FlowPart {
    names: BTreeSet<String>,
    wait: Option<usize>,
    /// The parts that may come next.
    next: Vec<usize>,
}

/// The places among the parts to which a loop goes: its next round, and what follows it.
type LoopEnds = Option<[usize; 2]>;

/// The parts of a function.
struct FlowParts<'f, 'w> {
    of: &'f WaitingFunction<'w>,
    all: Vec<FlowPart>,
}

impl WaitingFunction<'_> {
    /// Finds the local variables at each wait.
    pub fn find_locals(&self, block: &[Statement], level: usize, locals: &mut WaitLocals) {
        for statement in block {
            if let StatementKind::Local(names) = &statement.kind {
                for name in names.iter().map(|name| self.words[*name].text).filter(|name| *name != "_") {
                    locals.declare(name, level, false);
                }
            }
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

    /// What runs after each wait, up to the next waits.
    pub fn after_waits(&self, body: &[Statement]) -> Vec<AfterWait> {
        let mut parts = FlowParts { of: self, all: vec![FlowPart::default()] };
        parts.block(body, 0, None);
        let mut after: Vec<_> = self.waits.iter().map(|_| AfterWait::default()).collect();
        for part in &parts.all {
            let Some(wait) = part.wait else { continue };
            let (mut open, mut seen) = (part.next.clone(), BTreeSet::new());
            while let Some(place) = open.pop() {
                if !seen.insert(place) {
                    continue;
                }
                let FlowPart { names, wait: next, .. } = &parts.all[place];
                after[wait].names.extend(names.iter().cloned());
                after[wait].waits.extend(*next);
                if next.is_none() {
                    open.extend(&parts.all[place].next);
                }
            }
        }
        after
    }
}

impl FlowParts<'_, '_> {
    fn add(&mut self, words: impl IntoIterator<Item = Range<usize>>, next: Vec<usize>) -> usize {
        let free = words.into_iter().flat_map(|words| FileVariables::of(&self.of.words[words]).free);
        let names = free.map(|(_, name)| name).collect();
        self.all.push(FlowPart { names, wait: None, next });
        self.all.len() - 1
    }

    /// Adds a block, the last statement first. Returns where it begins.
    fn block(&mut self, block: &[Statement], next: usize, around: LoopEnds) -> usize {
        block.iter().rev().fold(next, |next, statement| self.statement(statement, next, around))
    }

    /// Whether a statement may leave a round of the loop around it.
    fn leaves(&self, statement: &Statement) -> bool {
        let leaves = ["break", "continue"].contains(&self.of.words[statement.words.start].text);
        let mut inner = statement.blocks().into_iter().flatten();
        leaves || !statement.is_loop() && inner.any(|statement| self.leaves(statement))
    }

    fn statement(&mut self, statement: &Statement, next: usize, around: LoopEnds) -> usize {
        let (words, values) = (statement.words.clone(), statement.values.clone());
        if !self.of.has_waits(statement) {
            let leaves = self.leaves(statement);
            let mut all: Vec<usize> = around.into_iter().flatten().filter(|_| leaves).collect();
            all.extend((!matches!(statement.kind, StatementKind::Return)).then_some(next));
            return self.add([words], all);
        }
        match &statement.kind {
            StatementKind::If(clauses, _) => {
                let mut all: Vec<usize> =
                    statement.blocks().into_iter().map(|it| self.block(it, next, around)).collect();
                // As if a block might not end in a wait.
                all.push(next);
                self.add(clauses.iter().map(|(condition, _)| condition.clone()), all)
            }
            StatementKind::While(block) => {
                let begin = self.add([values], vec![next]);
                let inner = self.block(block, begin, Some([begin, next]));
                self.all[begin].next.push(inner);
                begin
            }
            StatementKind::Repeat(block, condition) => {
                let end = self.add([condition.clone()], vec![next]);
                let begin = self.block(block, end, Some([end, next]));
                self.all[end].next.push(begin);
                begin
            }
            StatementKind::Do(block) => self.block(block, next, around),
            _ => {
                let begin = self.add([words], vec![next]);
                self.all[begin].wait = self.of.wait_of(statement);
                begin
            }
        }
    }
}
