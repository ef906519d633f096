//! What a run takes for values that the semantics leaves open, and what is said of it.

use lustral_sema::interp::{Choices, Open, Undefined, Zeros};
use lustral_sema::program::ExprKind;
use lustral_sema::{InstanceTree, Program, Type, Value};

use super::answers::Drawn;
use super::{LeftOpen, Seen};

/// Takes zero wherever the semantics leaves a value open, and remembers where
/// nobody was told: of a `pre` without a guard, the front end warns.
pub(super) struct Noticed<'a> {
    pub(super) program: &'a Program,
    pub(super) tree: &'a InstanceTree,
    divisions: bool,
    functions: bool,
    outside: bool,
    any: bool,
    pub(super) outputs: bool,
    /// Where outputs of nodes without a body come from, if they are not zero.
    pub(super) drawn: Option<Drawn>,
    /// None were found at a step: what comes later is no execution anyway.
    pub(super) given_up: bool,
}

impl Choices for Noticed<'_> {
    fn first_value(&mut self, pre: Open, step: usize, ty: &Type) -> Value {
        Zeros.first_value(pre, step, ty)
    }

    fn any_value(&mut self, access: Open, step: usize, ty: &Type) -> Value {
        let node = self.tree.node(self.program, access.instance);
        match node.exprs[access.expr].kind {
            ExprKind::Any if node.imported => {
                self.outputs = true;
                if let Some(drawn) = &mut self.drawn {
                    return drawn.value(self.program, ty);
                }
            }
            ExprKind::Any => self.any = true,
            _ => self.outside = true,
        }
        Zeros.any_value(access, step, ty)
    }

    fn apply(&mut self, function: u32, arguments: &[(&Type, Value)], ty: &Type) -> Value {
        self.functions = true;
        Zeros.apply(function, arguments, ty)
    }

    fn division_by_zero(&mut self, operation: Undefined, dividend: &Value) -> Value {
        self.divisions = true;
        Zeros.division_by_zero(operation, dividend)
    }
}

impl<'a> Noticed<'a> {
    pub(super) fn new(program: &'a Program, tree: &'a InstanceTree) -> Noticed<'a> {
        Noticed {
            program,
            tree,
            divisions: false,
            functions: false,
            outside: false,
            any: false,
            outputs: false,
            drawn: None,
            given_up: false,
        }
    }

    pub(super) fn seen(&self) -> impl Iterator<Item = Seen> + use<> {
        let all = [
            (self.divisions, LeftOpen::Division),
            (self.functions, LeftOpen::Function),
            (self.outside, LeftOpen::Element),
            (self.any, LeftOpen::Any),
            (self.outputs, LeftOpen::Output),
        ];
        all.into_iter().filter(|(noticed, _)| *noticed).map(|(_, what)| Seen::Zero(what))
    }
}
