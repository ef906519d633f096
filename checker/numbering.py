"""The names of the instances that a node calls: that of the node, with a number where it is called more than once."""

from iterators import is_iterator
from lexer import NotCovered


class Numbering:
    def number_calls(self, instance):
        """Names the instances of all calls of a node: numbered where a node is called twice."""
        found = []

        def walk(tree, element=None):
            if isinstance(tree, (tuple, list)):
                if isinstance(tree, tuple) and tree and tree[0] == "clocked":
                    [walk(part, element) for part in (tree[4], tree[6], tree[3], tree[5] or [])]
                elif isinstance(tree, tuple) and tree and tree[0] == "when":
                    [walk(part, element) for part in (tree[2], tree[4], tree[3])]
                elif isinstance(tree, tuple) and tree and tree[0] == "with":
                    walk(self.side(tree, instance), element)
                else:
                    [walk(part, element) for part in tree]
                if tree[:1] == ("named",):
                    # A type in an expression: what it calls runs there.
                    found.extend((call, ("type", ("use", id(tree)))) for call in self.calls_of_type(tree, instance))
                if is_iterator(tree):
                    [walk(part, element) for part in self.elements_of(tree, instance)]
                called = isinstance(tree, tuple) and tree and tree[0] in ("call", "clocked") and not is_iterator(tree)
                if called and self.callee(tree, instance) in self.program["nodes"]:
                    found.append((tree, element))

        node = instance.node
        instance.clauses = self.imported(instance, node["contract"])
        for item in node["items"]:
            if item[0] == "by index" and item[2] in instance.types:
                # Each element has instances of its own.
                [walk(item[4], element) for element in range(self.elements(instance.types[item[2]][1], len(item[3])))]
            else:
                walk(item[2:])
        self.number_clauses(instance.clauses, instance, found, walk)
        self.number_types(node["inputs"] + node["outputs"] + node["locals"], instance, found)
        names = [self.called(tree, instance) for tree, _ in found]
        for i, ((tree, element), name) in enumerate(zip(found, names)):
            number = names[: i + 1].count(name)
            several = names.count(name) > 1
            piece = f"{name}[{number}]" if several else name
            if isinstance(element, tuple) and element[0] == "type":
                instance.type_pieces.setdefault(element[1], {})[id(tree)] = piece
            else:
                instance.pieces[id(tree) if element is None else (id(tree), element)] = piece

    def number_types(self, flows, instance, found, owner=None):
        """Notes the calls in the types of flows, of the node or of a contract that it imports."""
        for flow, kind, _ in flows:
            key = flow if owner is None else (owner, flow)
            found += [(tree, ("type", key)) for tree in self.calls_of_type(kind, instance)]

    def number_clauses(self, clauses, instance, found, walk):
        """The clauses of a contract, and then what it imports."""
        for clause in clauses:
            walk(clause[3] if clause[0] == "import" else clause)
        for clause in clauses:
            if clause[0] == "import":
                contract = clause[5]
                self.number_types(contract["inputs"] + contract["outputs"], instance, found, id(contract))
                self.number_clauses(clause[6], instance, found, walk)

    def calls_of_type(self, kind, instance):
        """The calls in the conditions of a type, which are instances of their own for each flow that has it."""
        found = []

        def walk(tree):
            if not isinstance(tree, (tuple, list)):
                return
            [walk(part) for part in tree]
            if isinstance(tree, tuple) and tree and tree[0] in ("call", "clocked") and self.callee(tree, instance) in self.program["nodes"]:
                found.append(tree)
            if isinstance(tree, tuple) and tree[:1] == ("named",) and tree[2] in self.program["types"] and len(self.making) < 100:
                self.making.append(("calls of", tree[2]))
                walk(self.definition(tree))
                self.making.pop()

        walk(kind)
        return found

    def elements(self, kind, dimensions):
        """How many elements a definition by so many indices has."""
        count = 1
        for _ in range(dimensions):
            if kind[0] != "array":
                return 0
            kind, count = kind[1], count * kind[2]
        return count

    def called(self, tree, instance):
        """The name of a node with the values of its constant inputs."""
        name = self.callee(tree, instance)
        node = self.program["nodes"][name]
        given = zip(node["inputs"], tree[3])
        values = [self.known_number(a, instance) for (flow, *_), a in given if flow in node["constant inputs"]]
        is_known = any(value != "_" for value in values)
        return f"{name}<<{', '.join(values)}>>" if is_known else name

    def known_number(self, tree, instance):
        """What a call gives a constant input; `_` if nobody knows."""
        try:
            return str(self.static(tree, instance))
        except NotCovered:
            return "_"
