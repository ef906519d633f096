"""Trees of the parser: what is in them, and others in place of the names of parameters."""


def substituted(tree, mapping):
    """A tree with others in place of the names of parameters."""
    if isinstance(tree, list):
        return [substituted(part, mapping) for part in tree]
    if not isinstance(tree, tuple):
        return tree
    if tree[:1] == ("named",) and ("type", tree[2]) in mapping:
        return mapping["type", tree[2]]
    if tree[:1] == ("name",) and ("const", tree[2]) in mapping:
        return mapping["const", tree[2]]
    if tree[:1] == ("name",) and len(tree) == 3 and ("node", tree[2]) in mapping:
        # As an argument of another node or of an iterator.
        what, name, *statics = mapping["node", tree[2]]
        return (("operator" if what == "operator" else "name"), tree[1], name, *statics)
    if tree[:1] == ("call",) and ("node", tree[2]) in mapping:
        given = [substituted(part, mapping) for part in tree[3]]
        what, name, *statics = mapping["node", tree[2]]
        if what == "node":
            return ("call", tree[1], name, given, *statics)
        return (name, tree[1], *given)
    return tuple(substituted(part, mapping) for part in tree)


def calls(tree):
    """The names of the nodes that a tree calls."""
    if not isinstance(tree, (tuple, list)):
        return set()
    found = set().union(*(calls(part) for part in tree))
    if isinstance(tree, tuple) and tree and tree[0] in ("call", "clocked"):
        found.add(tree[2])
    return found


def children(tree):
    """The expressions that an expression is made of."""
    for part in tree[2:]:
        if isinstance(part, tuple) and len(part) > 1 and isinstance(part[0], str) and isinstance(part[1], tuple):
            yield part
        elif isinstance(part, (list, tuple)):
            for inner in part:
                if isinstance(inner, tuple) and len(inner) > 1 and isinstance(inner[0], str) and isinstance(inner[1], tuple):
                    yield inner


def written(tree):
    """A tree without its places: what is written alike is equal."""
    if isinstance(tree, tuple) and len(tree) > 1 and isinstance(tree[0], str) and isinstance(tree[1], tuple):
        return (tree[0], *(written(part) for part in (tree[2:4] if tree[0] == "field" else tree[2:])))
    if isinstance(tree, (tuple, list)):
        return tuple(written(part) for part in tree)
    return tree


def mentioned(tree):
    """The names in a tree."""
    if isinstance(tree, tuple) and tree and tree[0] == "name":
        return {tree[2]}
    if isinstance(tree, (tuple, list)):
        return set().union(*(mentioned(part) for part in tree))
    return set()


def tags(tree):
    """The kinds of expressions in a tree."""
    if not isinstance(tree, (tuple, list)):
        return set()
    found = set().union(*(tags(part) for part in tree))
    if isinstance(tree, tuple) and tree and isinstance(tree[0], str):
        found.add(tree[0])
    return found
