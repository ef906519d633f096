//! Sorts, and relations and functions over them.

use std::sync::Arc;

use lustral_base::id;

id!(/// A sort of a signature.
    SortId);
id!(/// A relation or function of a signature.
    SymbolId);

/// A relation, a function, or a constant: a function without arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: Arc<str>,
    /// The sorts of its arguments.
    pub arguments: Vec<SortId>,
    /// The sort of its values; a relation has none.
    pub result: Option<SortId>,
}

/// The sorts and symbols that formulas speak of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// The names of the sorts.
    pub sorts: Vec<Arc<str>>,
    /// The symbols.
    pub symbols: Vec<Symbol>,
}

impl Signature {
    /// The name of a sort.
    #[must_use]
    pub fn sort(&self, sort: SortId) -> &str {
        &self.sorts[sort.index()]
    }

    /// A symbol.
    #[must_use]
    pub fn symbol(&self, symbol: SymbolId) -> &Symbol {
        &self.symbols[symbol.index()]
    }

    /// All symbols, with their ids.
    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols.iter().enumerate().map(|(i, symbol)| (SymbolId(i as u32), symbol))
    }

    /// The ids of all sorts.
    pub fn sort_ids(&self) -> impl Iterator<Item = SortId> + use<> {
        (0..self.sorts.len() as u32).map(SortId)
    }
}
