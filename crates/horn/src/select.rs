//! Which properties of a program the clauses are about.

use lustral_system::Modular;

/// By node: the properties that count, its own and those of its calls. One flag
/// for each node is enough to say that they hold: a node is at most once on a
/// path of calls, so if one property of one instance is meant, the flags of the
/// other instances are not looked at.
#[derive(Clone, Debug)]
pub struct Selection {
    /// By node: the positions of its own properties.
    pub own: Vec<Vec<usize>>,
    /// By node: the calls whose flag counts.
    pub calls: Vec<Vec<usize>>,
}

/// There is no such property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoProperty(pub String);

impl Selection {
    /// All properties of all instances.
    #[must_use]
    pub fn all(modular: &Modular) -> Selection {
        Selection::some(modular, |_, _| true)
    }

    /// Some properties, by their node and position there, of all its instances.
    #[must_use]
    pub fn some(modular: &Modular, chosen: impl Fn(usize, usize) -> bool) -> Selection {
        let mut selection = Selection { own: Vec::new(), calls: Vec::new() };
        for (number, node) in modular.nodes.iter().enumerate() {
            let own = 0..node.system.properties.len();
            selection.own.push(own.filter(|own| chosen(number, *own)).collect());
            let flagged = |call: &usize| selection.is_flagged(node.calls[*call]);
            let calls = (0..node.calls.len()).filter(flagged).collect();
            selection.calls.push(calls);
        }
        selection
    }

    /// The property with a name, which begins with the path of its instance.
    ///
    /// # Errors
    /// If there is none.
    pub fn one(modular: &Modular, name: &str) -> Result<Selection, NoProperty> {
        let count = modular.nodes.len();
        // A node, the rest of the name there, and the calls that lead to it.
        let mut stack = vec![(modular.root(), name, Vec::new())];
        while let Some((node, rest, path)) = stack.pop() {
            let known = &modular.nodes[node];
            let own = known.system.properties.iter().position(|p| p.name == rest);
            if let Some(own) = own {
                let (mut list, mut calls) = (vec![Vec::new(); count], vec![Vec::new(); count]);
                list[node].push(own);
                for (caller, call) in path {
                    let caller: usize = caller;
                    calls[caller].push(call);
                }
                return Ok(Selection { own: list, calls });
            }
            for (call, callee) in known.calls.iter().enumerate() {
                let instance = &known.system.instances[call + 1].path;
                let below = rest.strip_prefix(instance.as_str());
                if let Some(below) = below.and_then(|below| below.strip_prefix('.')) {
                    let mut path = path.clone();
                    path.push((node, call));
                    stack.push((*callee, below, path));
                }
            }
        }
        Err(NoProperty(name.to_string()))
    }

    /// The names of the first properties that are meant, as `one` takes them:
    /// at most so many. Every call that is followed leads to one, so a million
    /// instances cost no more than a few.
    #[must_use]
    pub fn names(&self, modular: &Modular, most: usize) -> Vec<String> {
        let mut names = Vec::new();
        let mut stack = vec![(modular.root(), String::new())];
        while let Some((node, prefix)) = stack.pop() {
            let known = &modular.nodes[node];
            for own in &self.own[node] {
                names.push(format!("{prefix}{}", known.system.properties[*own].name));
            }
            if names.len() >= most {
                break;
            }
            // In the order of the calls, and no more of them than are needed.
            let calls = &self.calls[node][..self.calls[node].len().min(most)];
            for call in calls.iter().rev() {
                let path = &known.system.instances[call + 1].path;
                stack.push((known.calls[*call], format!("{prefix}{path}.")));
            }
        }
        names.truncate(most);
        names
    }

    /// Whether a node has a flag.
    #[must_use]
    pub fn is_flagged(&self, node: usize) -> bool {
        !self.own[node].is_empty() || self.calls.get(node).is_some_and(|c| !c.is_empty())
    }
}
