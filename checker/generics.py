"""Types and nodes with parameters: each list of arguments gives a type or a node of its own.

What a parameter stands for is put in its place in the tree. Where a call does not say the types, they are those of its
arguments, as far as the text of these tells.
"""

from iterators import is_iterator
from lexer import Malformed, NotCovered
from trees import substituted

WORDS = {"bool", "int", "real"}
OF_BOOL = {"and", "or", "xor", "=>", "not", "=", "<>", "<", "<=", ">", ">=", "truth", "atmost", "forall", "exists"}
OF_OPERAND = {"+", "-", "*", "/", "div", "mod", "neg", "pre", "fby", "->", "&&", "||", "!", "lsh", "rsh", "update"}


class Generics:
    def definition(self, kind):
        """The tree of a type by name, with its arguments."""
        found = self.program["types"][kind[2]]
        arguments = kind[3] if len(kind) > 3 else []
        if found[0] != "generic":
            if arguments:
                raise Malformed(f"the type `{kind[2]}` has no parameters, line {kind[1][0]}")
            return found
        if len(arguments) != len(found[2]):
            raise NotCovered(f"the type `{kind[2]}` without its arguments", kind[1][0])
        return substituted(found[3], {("type", name): a for name, a in zip(found[2], arguments)})

    def callee(self, tree, instance):
        """The node that a call is one of, by name: one with parameters is made for what it is given."""
        name, statics = tree[2], tree[4] if tree[0] == "call" and len(tree) > 4 else None
        for _ in range(len(self.program["aliases"]) + 1):
            if statics is None and name in self.program["aliases"]:
                name, statics = self.program["aliases"][name]
        node = self.program["nodes"].get(name)
        if node is None or not node["parameters"]:
            if statics:
                raise NotCovered(f"arguments of `{name}`", tree[1][0])
            return name
        if statics is None:
            statics = self.inferred(node, tree[3], instance, tree[1])
        return self.instantiated(node, statics, instance, tree[1])

    def instantiated(self, node, statics, instance, place):
        if len(statics) != len(node["parameters"]):
            raise Malformed(f"`{node['name']}` has {len(node['parameters'])} parameters, line {place[0]}")
        mapping, texts = {}, []
        for (what, name), given in zip(node["parameters"], statics):
            if what == "type":
                given = self.named_type(given)
                texts.append(self.type_text(given))
            elif what == "const":
                number = self.static(given, instance)
                given = ("number", place, number) if number >= 0 else ("neg", place, ("number", place, -number))
                texts.append(str(number))
            elif given[0] == "operator":
                texts.append(given[2])
                given = ("operator", given[2])
            elif given[0] == "name" and len(given) > 3:
                texts.append(f"{given[2]}<<{', '.join(self.text_of(part, instance) for part in given[3])}>>")
                given = ("node", given[2], given[3])
            elif given[0] == "name" and given[2] in self.program["nodes"]:
                texts.append(given[2])
                given = ("node", given[2])
            else:
                raise NotCovered("such an argument of a node", place[0])
            mapping[what, name] = given
        key = f"{node['name']}<<{', '.join(texts)}>>"
        if key not in self.program["nodes"]:
            made = {k: v if k == "constant inputs" else substituted(v, mapping) for k, v in node.items()}
            self.program["nodes"][key] = {**made, "name": key, "parameters": []}
        return key

    def text_of(self, tree, instance):
        """What reports call an argument of an argument."""
        if tree[0] in ("operator", "name"):
            return tree[2]
        return str(self.static(tree, instance))

    def with_arguments(self, contract, statics):
        """A contract with types in place of its parameters."""
        names = [("type", name) for _, name in contract["parameters"]]
        mapping = dict(zip(names, map(self.named_type, statics)))
        return {k: v if k == "constant inputs" else substituted(v, mapping) for k, v in contract.items()}

    def named_type(self, tree):
        """What was read as an expression, as a type."""
        if tree[0] == "name":
            return ("named", tree[1], tree[2], [])
        if tree[0] == "power":
            return ("array", tree[1], self.named_type(tree[2]), tree[3])
        return tree

    def type_text(self, kind):
        """The name of a type in reports."""
        kind = self.normal(kind)
        tag = kind[0]
        if tag in WORDS:
            return tag
        if tag == "named" or tag == "abstract":
            arguments = "; ".join(self.type_text(a) for a in kind[3]) if len(kind) > 3 and kind[3] else ""
            return f"{kind[2]}<{arguments}>" if arguments else kind[2]
        if tag == "array":
            return f"{self.type_text(kind[2])}^{self.static(kind[3], None)}"
        if tag == "bits":
            return f"{'' if kind[3] else 'u'}int{kind[2]}"
        if tag == "tuple":
            return f"[{', '.join(self.type_text(part) for part in kind[2])}]"
        raise NotCovered("such a type in the place of a parameter", kind[1][0])

    def normal(self, kind):
        """A type without bounds, conditions and other names for it."""
        if kind[0] == "subrange":
            return ("int", kind[1])
        if kind[0] == "subtype":
            return self.normal(kind[3])
        if kind[0] == "named" and kind[2] in self.program["types"]:
            found = self.definition(kind)
            if found[0] not in ("enum", "struct", "abstract", "data"):
                return self.normal(found)
        return kind

    # -- Types of expressions, by their text

    def inferred(self, node, arguments, instance, place):
        found = {}
        kinds = [k for a in arguments for k in self.kinds_of(a, instance)]
        for (_, declared, _), kind in zip(node["inputs"], kinds):
            self.unify(declared, kind, [name for _, name in node["parameters"]], found)
        missing = [name for what, name in node["parameters"] if what != "type" or name not in found]
        if missing:
            raise NotCovered(f"the argument `{missing[0]}` of `{node['name']}`", place[0])
        return [found[name] for _, name in node["parameters"]]

    def unify(self, declared, kind, parameters, found):
        if declared[0] == "named" and declared[2] in parameters:
            found.setdefault(declared[2], self.normal(kind))
        elif declared[0] == kind[0] == "array":
            self.unify(declared[2], kind[2], parameters, found)
        elif declared[0] == kind[0] == "tuple":
            [self.unify(a, b, parameters, found) for a, b in zip(declared[2], kind[2])]
        elif declared[0] == kind[0] == "named" and declared[2] == kind[2] and len(declared) > 3 and len(kind) > 3:
            [self.unify(a, b, parameters, found) for a, b in zip(declared[3], kind[3])]

    def kinds_of(self, tree, instance):
        """The types of the values of an expression."""
        if tree[0] == "list":
            return [k for part in tree[2] for k in self.kinds_of(part, instance)]
        if tree[0] in ("call", "clocked") and not is_iterator(tree):
            node = self.program["nodes"].get(self.callee(tree, instance))
            if node is not None:
                return [kind for _, kind, _ in node["outputs"]]
        return [self.tree_of_type(tree, instance)]

    def tree_of_type(self, tree, instance):
        tag, place = tree[0], tree[1]
        if tag == "name":
            if tree[2] in instance.types:
                return self.normal(instance.types[tree[2]][0])
            if tree[2] in self.enumerations:
                return ("named", place, self.enumerations[tree[2]][0][1], [])
            kind, definition = self.program["constants"].get(tree[2], (None, None))
            if kind is not None:
                return self.normal(kind)
            if definition is not None:
                return self.tree_of_type(definition, instance)
        if tag in OF_BOOL:
            return ("bool", place)
        if tag in ("number", "int"):
            return ("int", place)
        if tag in ("decimal", "real"):
            return ("real", place)
        if tag == "convert":
            return ("bits", place, tree[2], tree[3])
        if tag in OF_OPERAND:
            return self.kinds_of(tree[2], instance)[0]
        if tag == "if":
            return self.kinds_of(tree[3], instance)[0]
        if tag == "array":
            return ("array", place, self.kinds_of(tree[2][0], instance)[0], ("number", place, len(tree[2])))
        if tag == "power":
            return ("array", place, self.kinds_of(tree[2], instance)[0], tree[3])
        if tag == "tuple":
            return ("tuple", place, [self.kinds_of(part, instance)[0] for part in tree[2]])
        if tag == "record":
            return ("named", place, tree[2], self.arguments_of_record(tree, instance))
        if tag == "call" and tree[2] in self.constructors:
            name, kind, _ = self.constructors[tree[2]]
            given = self.arguments_of_constructor(tree[2], tree, instance) if kind[0] == "generic" else []
            return ("named", place, name, given)
        if tag in ("field", "index"):
            return self.tree_of_part(tree, instance)
        raise NotCovered("a parameter that no argument tells", place[0])

    def tree_of_part(self, tree, instance):
        whole = self.kinds_of(tree[2], instance)[0]
        whole = self.definition(whole) if whole[0] == "named" else whole
        if tree[0] == "index" and whole[0] == "array":
            return self.normal(whole[2])
        if tree[0] == "index" and whole[0] == "tuple":
            return self.normal(whole[2][self.static(tree[3], instance)])
        fields = dict(whole[2]) if tree[0] == "field" and whole[0] == "struct" else {}
        if tree[0] != "field" or tree[3] not in fields:
            raise NotCovered("a part of such a value as an argument", tree[1][0])
        return self.normal(fields[tree[3]])

    def arguments_of_record(self, tree, instance):
        """What the parameters of the type of a record stand for: as it says, or as its fields have it."""
        found = self.program["types"].get(tree[2])
        if len(tree) > 4:
            return tree[4]
        for _ in range(100):
            if found is None or found[0] != "named":
                break
            found = self.program["types"].get(found[2])
        if found is None or found[0] != "generic":
            return []
        whole = found[3]
        for _ in range(100):
            if whole[0] == "named":
                whole = self.definition(whole)
        if whole[0] != "struct":
            raise NotCovered(f"the type `{tree[2]}` without its arguments", tree[1][0])
        given, fields = {}, dict(whole[2])
        for name, value in tree[3]:
            if name in fields:
                self.unify(fields[name], self.kinds_of(value, instance)[0], found[2], given)
        missing = [name for name in found[2] if name not in given]
        if missing:
            raise NotCovered(f"the argument `{missing[0]}` of `{tree[2]}`", tree[1][0])
        return [given[name] for name in found[2]]
