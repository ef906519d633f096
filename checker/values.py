"""Expressions: their values in an instance.

A value is a term, `{field: value}` for a record or a list for an array; an expression has a list of values.
"""

from fractions import Fraction

from data import has_data
from iterators import is_iterator
from kinds import DEEPEST, Instance
from lexer import Malformed, NotCovered
from machine import ARITHMETIC, is_bits
from terms import Property
from trees import calls, mentioned

OPERATORS = {"and", "or", "xor", "=>", "+", "-", "*", "div", "mod", "/", "<", "<="}

# Functions of which nothing is known but that they are functions, unless the program declares them.
MATHEMATICS = set("sqrt cbrt sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp log log10 pow fmod".split())
CONVERSIONS = {"int_to_real", "real_to_int", "bool_to_int", "bool_to_real", "int_to_bool", "real_to_bool"}


class Values:
    def zip(self, make, *values):
        """A function of scalars, applied to structures of one shape scalar by scalar."""
        head = values[0]
        if isinstance(head, int):
            if not all(isinstance(v, int) for v in values):
                raise Malformed("structures of different types")
            return make(*values)
        if isinstance(head, dict):
            if not all(isinstance(v, dict) and list(v) == list(head) for v in values):
                raise Malformed("records of different types")
            return {f: self.zip(make, *(v[f] for v in values)) for f in head}
        if not all(isinstance(v, list) and len(v) == len(head) for v in values):
            raise Malformed("arrays of different types")
        return [self.zip(make, *vs) for vs in zip(*values)]

    def scalars(self, value):
        if isinstance(value, int):
            return [value]
        parts = value.values() if isinstance(value, dict) else value
        return [s for part in parts for s in self.scalars(part)]

    def single(self, tree, instance):
        values = self.values(tree, instance)
        if len(values) != 1:
            raise Malformed(f"one value expected, line {tree[1][0]}")
        return values[0]

    def scalar(self, tree, instance):
        value = self.single(tree, instance)
        if not isinstance(value, int):
            raise Malformed(f"a scalar expected, line {tree[1][0]}")
        return value

    def name(self, tree, instance):
        name = tree[2]
        if name in instance.names:
            return instance.names[name]
        if name in self.constructors:
            return self.construct(name, tree, [], instance)
        if name in self.enumerations:
            sort, position = self.enumerations[name]
            return self.terms.constant(position, sort)
        if name in self.constants:
            return self.constants[name]
        if name not in self.program["constants"]:
            raise NotCovered(f"the name `{name}`, which is not declared", tree[1][0])
        if name in self.pending:
            raise Malformed(f"the constant `{name}` is made of itself")
        self.pending.add(name)
        kind, definition = self.program["constants"][name]
        outside = Instance("", None, self.terms.truth(True), self.system.first)
        outside.depth = DEEPEST + 1
        if definition is None:
            self.constants[name] = self.free_constant(name, kind)
        else:
            self.constants[name] = self.single(definition, outside)
            if kind is not None:
                self.check(self.type(kind), self.constants[name], tree[1])
        self.pending.discard(name)
        return self.constants[name]

    def free_constant(self, name, kind):
        """One value for the whole execution: a memory that never changes."""
        system, found = self.system, self.type(kind)

        def make(leaf, scalar):
            flow = system.flow("", leaf, scalar[1])
            memory = system.memory(leaf, scalar[1])
            self.restrict(memory)
            system.memories[memory][1] = memory
            system.define(flow, memory)
            system.constants[leaf] = flow
            return flow

        if has_data(found):
            raise NotCovered("a constant of a data type, without a value")
        value = self.leaves(found, name, make)
        outside = Instance("", None, self.terms.truth(True), system.first)
        outside.depth = DEEPEST + 1
        system.constraints += [term for _, term in self.conditions(kind, value, outside)]
        return value

    def values(self, tree, instance):
        """The values of an expression: several of a list, or of a call with several outputs."""
        tag, place = tree[0], tree[1]
        terms = self.terms
        if tag == "list":
            return [v for part in tree[2] for v in self.values(part, instance)]
        if is_iterator(tree):
            return self.iterated(tree, instance)
        if tag == "call" and tree[2] not in self.constructors:
            return self.call(tree, instance, tree[2], tree[3])
        if tag == "clocked":
            return self.clocked(tree, instance)
        if tag == "where active":
            return self.clocked(tree[2], instance, is_held=False)
        if tag == "begun anew":
            return self.values_anew(tree, instance)
        if tag == "name":
            return [self.name(tree, instance)]
        if tag == "number":
            return [terms.constant(tree[2], "Int")]
        if tag == "decimal":
            return [terms.constant(Fraction(tree[2] + "0" if tree[2].endswith(".") else tree[2]), "Real")]
        if tag == "truth":
            return [terms.truth(tree[2])]
        if tag == "sampled":
            return self.sample(tree, instance)
        if tag == "merge":
            return self.merged(tree, instance)
        if tag == "current":
            return self.current(tree, instance)
        if tag in ("when", "and then", "or else", "==>"):
            return self.lazy(tree, instance)
        if tag == "match":
            return self.match(tree, instance)
        if tag == "made by":
            return [self.is_made_by(tree, instance)]
        if tag == "call" and tree[2] in self.constructors:
            given = [v for part in tree[3] for v in self.values(part, instance)]
            return [self.construct(tree[2], tree, given, instance)]
        if tag == "with":
            return self.values(self.side(tree, instance), instance)
        if tag in ("forall", "exists"):
            return [self.quantified(tree, instance)]
        if tag == "ascribed":
            value = self.single(tree[2], instance)
            self.check(self.type(tree[3], instance), value, place)
            said = self.terms.conjunction([term for _, term in self.conditions(tree[3], value, instance)])
            self.asked(tree, instance, f"type({tree[4]}) at line {place[0]}", place, said)
            return [value]
        if tag in ("any", "choose"):
            return [self.choice(tree, instance)]
        if tag == "last":
            if tree[2] not in instance.kept:
                raise NotCovered(f"`last {tree[2]}` outside of a frame", place[0])
            return [instance.kept[tree[2]]]
        if tag in ("if", "->"):
            condition = self.scalar(tree[2], instance) if tag == "if" else instance.first
            decided = terms.value(condition)
            if decided is not None and not calls(tree[-2:]):
                # What is never chosen may have no meaning, such as an element before the first one.
                return self.values(tree[-2] if decided else tree[-1], instance)
            then = self.values(tree[-2], instance)
            guarded = self.guarded or tag == "->"
            other = self.unguarded(lambda: self.values(tree[-1], instance), guarded)
            if len(then) != len(other):
                raise Malformed(f"lists of different lengths, line {place[0]}")
            choose = lambda a, b: terms.apply("ite", condition, a, b)
            return [self.zip(choose, a, b) for a, b in zip(then, other)]
        if tag == "pre":
            return self.delayed(tree, instance)
        if tag == "fby":
            then = self.values(tree[2], instance)
            later = self.unguarded(lambda: self.values(tree[3], instance))
            if len(then) != len(later):
                raise Malformed(f"lists of different lengths, line {place[0]}")
            return [self.zip(lambda a, b: self.fby(instance, a, b), a, b) for a, b in zip(then, later)]
        return [self.operation(tree, instance)]

    def values_anew(self, tree, instance):
        """`reset e every r`: what is in `e` begins anew where `r` holds."""
        inner = self.where(instance, self.terms.truth(True))
        inner.active, inner.first = self.clock(instance, None, self.scalar(tree[3], instance))
        return self.unguarded(lambda: self.values(tree[2], inner))

    def asked(self, tree, instance, title, place, term):
        """A property about an expression where it is evaluated: of what is written out, one for all times."""
        if instance.node is None or instance.depth > DEEPEST:
            return
        if self.terms.value(instance.active) is not True:
            term = self.terms.implies(instance.active, term)
        if instance.left_open:
            self.waiting.append((tree, title, place, term))
            return
        key = (instance.path, id(tree))
        _, known = self.asked_already.get(key, (None, None))
        if known is None:
            name = f"{instance.path}.{title}" if instance.path else title
            known = Property(name, place, term)
            self.asked_already[key] = (tree, known)  # the tree is kept, and with it its number
            self.system.properties.append(known)
        else:
            known.term = self.terms.apply("and", known.term, term)

    def side(self, tree, instance):
        """The side of a `with` that is there: its condition is a constant."""
        plain = Instance("", None, self.terms.truth(True), self.terms.truth(False))
        plain.names = instance.names
        decided = self.terms.value(self.scalar(tree[2], plain))
        if not isinstance(decided, bool):
            raise NotCovered("a `with` whose condition is no constant", tree[1][0])
        return tree[3] if decided else tree[4]

    def choice(self, tree, instance):
        """Some value that is as the type and the condition say; where there is none, there is no execution."""
        tag, place, name, kind, condition = tree
        if instance.node is None or instance.depth > DEEPEST:
            raise NotCovered("`any` in a constant or a type", place[0])
        found = self.type(kind, instance)
        if tag == "choose":
            # The same for the same values of what the condition names, wherever it is chosen in the node.
            names = sorted(mentioned(condition) - {name}) if condition is not None else []
            given = [s for n in names if n in instance.names for s in self.scalars(instance.names[n])]
            make = self.function(f"choose of {instance.node['name']} {place}", given)
        else:
            make = self.open_leaf
        whole = self.leaves(found, "any value", make)
        scalars = self.scalars(whole)
        for number, term in enumerate(scalars, 1 + self.position * len(scalars)):
            if self.terms.list[term][0] == "free" and not instance.written_out:
                self.places[instance.path, *place, number] = term
        value = self.canonical(found, whole)
        whole = kind if condition is None else ("subtype", place, name, kind, condition)
        for term in [self.within(found, value), *(term for _, term in self.conditions(whole, value, instance))]:
            self.assume(instance, term)
        return value

    def open_leaf(self, name, scalar):
        return self.open(f"{name}, any value", scalar)

    def within(self, kind, value):
        """That all scalars of a value are within the bounds of its type."""
        parts = []
        for (low, high), term in zip(self.bounds_of(kind), self.scalars(value)):
            if low is not None or high is not None:
                parts.append(self.bounds(("scalar", "Int", low, high), term))
        return self.terms.conjunction(parts)

    def bounds_of(self, kind):
        found = []
        self.leaves(kind, "", lambda _, scalar: found.append(scalar[2:4]))
        return found

    def fby(self, instance, first, later):
        memory = self.system.delay(instance.active, later, "fby")
        self.restrict(memory)
        return self.terms.apply("ite", instance.first, first, memory)

    def delayed(self, tree, instance):
        """`pre`: at the first step a value of the operand's type that nobody knows."""
        values = self.unguarded(lambda: self.values(tree[2], instance))
        # In a definition by index each element has first values of its own.
        skipped = self.position * sum(len(self.scalars(v)) for v in values)
        found, number = [], [0]
        line, column = tree[1]
        bounds = self.known_bounds(tree[2], instance)

        def one(operand):
            number[0] += 1
            memory = self.system.delay(instance.active, operand, "pre")
            self.restrict(memory)
            key = (instance.path, line, column, skipped + number[0])
            sort = self.terms.sort(operand)
            low, high = bounds[number[0] - 1] if len(bounds) >= number[0] else (None, None)
            open_value = self.open(f"the first value of `pre`, line {line}", ("scalar", sort, low, high))
            if low is not None or high is not None:
                self.system.domains[open_value] = (low, high)
            # Of those that are written out for values of a quantifier it is not known which is meant.
            if not self.guarded and not instance.written_out:
                self.places[key] = open_value
            return self.terms.apply("ite", instance.first, open_value, memory)

        for value in values:
            if not self.guarded and any(isinstance(part, dict) and "" in part for part in self.parts_of(value)):
                raise NotCovered("`pre` of a data type at a first step", tree[1][0])
            found.append(self.zip(one, value))
        return found

    def parts_of(self, value):
        """A value with all its parts."""
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return [value, *(inner for part in parts for inner in self.parts_of(part))]

    def known_bounds(self, tree, instance):
        """The bounds of the type of a flow, or of `pre` of one: of its scalars in their order."""
        while tree[0] == "pre":
            tree = tree[2]
        if tree[0] == "ascribed":
            return self.bounds_of(self.type(tree[3], instance))
        if tree[0] != "name" or tree[2] not in instance.types:
            return []
        return self.bounds_of(instance.types[tree[2]][1])

    def operation(self, tree, instance):
        tag, place, terms = tree[0], tree[1], self.terms
        if tag in ("not", "neg", "!"):
            operand = self.scalar(tree[2], instance)
            if tag == "neg" and is_bits(terms.sort(operand)):
                tag = "bvneg"
            return terms.apply("bvnot" if tag == "!" else tag, operand)
        if tag == "convert":
            return self.converted(self.scalar(tree[4], instance), tree[2], tree[3], place)
        if tag == "bits":
            high, low = (self.static(part, instance) for part in tree[3:5])
            return self.bits(self.scalar(tree[2], instance), high, low, place)
        if tag in ("int", "real"):
            operand = self.scalar(tree[2], instance)
            if tag == "int" and is_bits(terms.sort(operand)):
                return self.exact(operand)
            if terms.sort(operand) == tag.capitalize():
                return operand
            return terms.apply(f"to_{tag}", operand)
        if tag in ("=", "<>"):
            a, b = self.values(tree[2], instance), self.values(tree[3], instance)
            if len(a) != len(b):
                raise Malformed(f"lists of different lengths, line {place[0]}")
            equal = [self.zip(lambda x, y: terms.apply("=", x, y), x, y) for x, y in zip(a, b)]
            same = terms.conjunction([s for e in equal for s in self.scalars(e)])
            return same if tag == "=" else terms.negation(same)
        if tag in (">", ">="):
            a, b = self.scalar(tree[2], instance), self.scalar(tree[3], instance)
            less = "<" if tag == ">" else "<="
            return self.machine(less, place, b, a) if is_bits(terms.sort(b)) else terms.apply(less, b, a)
        if tag in OPERATORS or tag in ARITHMETIC:
            a, b = self.scalar(tree[2], instance), self.scalar(tree[3], instance)
            if is_bits(terms.sort(a)):
                return self.machine(tag, place, a, b)
            if tag == "/" and terms.sort(a) == "Int":
                tag = "div"
            if tag in ("div", "mod") and self.dialect != "kind2":
                return self.towards_zero(tag, a, b)
            return terms.apply(tag, a, b)
        if tag == "atmost":
            items = [v for part in tree[2] for v in self.values(part, instance)]
            pairs = [(a, b) for i, a in enumerate(items) for b in items[:i]]
            return terms.conjunction([terms.negation(terms.apply("and", a, b)) for a, b in pairs])
        if tag == "record":
            return self.record(tree, instance)
        if tag == "array":
            found = [v for part in tree[2] for v in self.values(part, instance)]
            for other in found[1:]:
                self.zip(lambda a, b: terms.apply("=", a, b), found[0], other)  # of one type
            return found
        if tag == "tuple":
            return [v for part in tree[2] for v in self.values(part, instance)]
        if tag == "power":
            element, size = self.single(tree[2], instance), self.static(tree[3], instance)
            return [element] * size
        if tag == "field":
            value = self.single(tree[2], instance)
            if not isinstance(value, dict) or tree[3] not in value:
                raise Malformed(f"no field `{tree[3]}`, line {place[0]}")
            if "" in value:
                owner = next(c for c, _ in self.constructors_of(value) if tree[3] in dict(_))
                said = self.tagged(value, owner, place)
                self.asked(tree, instance, f"constructor({tree[5]}) at line {tree[4][0]}", tree[4], said)
            return value[tree[3]]
        if tag in ("slice", "together"):
            return self.part_or_whole(tree, instance)
        if tag == "index":
            return self.element(tree, instance)
        if tag == "update":
            return self.update(tree, instance)
        raise NotCovered(f"`{tag}`", place[0])

    def towards_zero(self, tag, a, b):
        """The division of C: of a negative number the opposite of that of its opposite."""
        terms = self.terms
        opposite = terms.apply("neg", terms.apply(tag, terms.apply("neg", a), b))
        is_negative = terms.apply("<", a, terms.constant(0, "Int"))
        return terms.apply("ite", is_negative, opposite, terms.apply(tag, a, b))

    def part_or_whole(self, tree, instance):
        """`a[1..3]`, or `a | b`: some elements, or those of two arrays."""
        if tree[0] == "slice":
            low, high = (self.static(part, instance) for part in tree[3:5])
            whole = self.single(tree[2], instance)
            if not isinstance(whole, list) or not 0 <= low <= high < len(whole):
                raise NotCovered("a slice that is not inside of its array", tree[1][0])
            return whole[low : high + 1]
        left, right = self.single(tree[2], instance), self.single(tree[3], instance)
        if not isinstance(left, list) or not isinstance(right, list):
            raise Malformed(f"arrays expected, line {tree[1][0]}")
        return left + right

    def record(self, tree, instance):
        kind = self.type(("named", tree[1], tree[2], self.arguments_of_record(tree, instance)), instance)
        given = {f: self.single(e, instance) for f, e in tree[3]}
        if kind[0] != "record" or set(given) != {f for f, _ in kind[1]} or len(given) != len(tree[3]):
            raise Malformed(f"not the fields of `{tree[2]}`, line {tree[1][0]}")
        found = {f: given[f] for f, _ in kind[1]}
        self.check(kind, found, tree[1])
        return found

    def element(self, tree, instance):
        """An element; where the index is outside any value, the same for the same text in one node."""
        array, index = self.single(tree[2], instance), self.scalar(tree[3], instance)
        if not isinstance(array, list):
            raise Malformed(f"an array expected, line {tree[1][0]}")
        constant = self.terms.value(index)
        if constant is not None and 0 <= constant < len(array):
            return array[constant]
        if self.terms.sort(index) != "Int":
            raise Malformed(f"an index that is no integer, line {tree[1][0]}")
        found = self.outside(tree, array, instance)
        if constant is not None:
            return found
        for i, element in enumerate(array):
            here = self.terms.apply("=", index, self.terms.constant(i, "Int"))
            found = self.zip(lambda a, b: self.terms.apply("ite", here, a, b), element, found)
        return found

    def update(self, tree, instance):
        """One change after the other."""
        whole = self.single(tree[2], instance)
        for where, new in tree[3]:
            whole = self.changed(whole, where, self.single(new, instance), instance)
        return whole

    def changed(self, whole, where, new, instance):
        if isinstance(whole, dict):
            if where[0] != "name" or where[2] not in whole:
                raise NotCovered("an update", where[1][0])
            return {**whole, where[2]: self.zip(lambda _, b: b, whole[where[2]], new)}
        index = self.scalar(where, instance)
        terms = self.terms
        number = terms.value(index)
        if number is not None:
            return [self.zip(lambda a, _: a, new, old) if i == number else old for i, old in enumerate(whole)]

        def chosen(i, old):
            here = terms.apply("=", index, terms.constant(i, "Int"))
            return self.zip(lambda a, b: terms.apply("ite", here, a, b), new, old)

        return [chosen(i, old) for i, old in enumerate(whole)]

    def library(self, name, arguments, caller, place):
        if name == "floor" and len(arguments) == 1:
            return [self.terms.apply("to_int", self.scalar(arguments[0], caller))]
        if name in MATHEMATICS:
            given = [self.scalar(a, caller) for a in arguments]
            return [self.terms.apply(("function", f"the library's {name}", "Real"), *given)]
        if name in CONVERSIONS and len(arguments) == 1:
            return [self.library_conversion(name, self.scalar(arguments[0], caller))]
        raise NotCovered(f"the node `{name}`, which is not in the text", place[0])

    def library_conversion(self, name, operand):
        terms = self.terms
        number = lambda value, sort: terms.constant(Fraction(value) if sort == "Real" else value, sort)
        if name == "int_to_real":
            return terms.apply("to_real", operand)
        if name == "real_to_int":
            opposite = terms.apply("neg", terms.apply("to_int", terms.apply("neg", operand)))
            return terms.apply("ite", terms.apply("<", operand, number(0, "Real")), opposite, terms.apply("to_int", operand))
        sort = "Real" if "real" in name else "Int"
        if name.startswith("bool"):
            return terms.apply("ite", operand, number(1, sort), number(0, sort))
        return terms.negation(terms.apply("=", operand, number(0, sort)))
