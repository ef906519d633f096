"""Machine integers: bit-vectors, whose values are their bits as a number from 0.

A sort is `("bits", width, signed)`. The sign decides which operators the language means by `<`, `div` or `rsh`; the
operators themselves, which have the names of SMT-LIB, do not look at it.
"""

import re

from lexer import Malformed, NotCovered

WORD = re.compile(r"(u?)int(8|16|32|64)")
DEEPEST = 4096  # the widest

SAME = set("bvadd bvsub bvmul bvand bvor bvxor bvudiv bvurem bvsdiv bvsrem bvshl bvlshr bvashr".split())
ALONE = {"bvneg", "bvnot"}
ORDER = {"bvult", "bvule", "bvslt", "bvsle"}
SIGNS = {"signed", "unsigned"}  # the same bits, read in another way: no operator of SMT-LIB
INDEXED = {"extract": 2, "zero_extend": 1, "sign_extend": 1, "int2bv": 1}

# What the language writes, without and with a sign.
ARITHMETIC = {
    "+": ("bvadd", "bvadd"), "-": ("bvsub", "bvsub"), "*": ("bvmul", "bvmul"),
    "div": ("bvudiv", "bvsdiv"), "/": ("bvudiv", "bvsdiv"), "mod": ("bvurem", "bvsrem"),
    "<": ("bvult", "bvslt"), "<=": ("bvule", "bvsle"), "&&": ("bvand", "bvand"), "||": ("bvor", "bvor"),
    "lsh": ("bvshl", "bvshl"), "rsh": ("bvlshr", "bvashr"), "++": ("concat", "concat"),
}


def is_bits(sort):
    return isinstance(sort, tuple) and sort[0] == "bits"


def alike(a, b):
    """One sort, but for the sign, which does not count behind the front end."""
    return a == b or (is_bits(a) and is_bits(b) and a[1] == b[1])


def word(name):
    """The width and sign that the name of a type says."""
    match = WORD.fullmatch(name)
    return match and (int(match.group(2)), match.group(1) == "")


def checked_width(width, line):
    if not 1 <= width <= DEEPEST:
        raise Malformed(f"{width} bits, line {line}")
    return width


def head(operator):
    """The name and the numbers of an operator; None if it is not of this family."""
    if not isinstance(operator, str):
        return None
    if operator in SAME | ALONE | ORDER | SIGNS | {"concat", "bv2nat"}:
        return operator, ()
    parts = operator.strip("()").split()
    if parts[:1] != ["_"] or len(parts) < 2 or parts[1] not in INDEXED:
        return None
    numbers = tuple(int(p) for p in parts[2:])
    if len(numbers) != INDEXED[parts[1]]:
        raise Malformed(f"the operator {operator}")
    return parts[1], numbers


def result(operator, sorts):
    """The sort that an operator gives; None if it does not apply."""
    name, numbers = head(operator)
    if name == "int2bv":
        return ("bits", checked_width(numbers[0], 0), False) if sorts == ["Int"] else None
    if not sorts or not all(is_bits(s) for s in sorts):
        return None
    first = sorts[0]
    if name in SAME | ORDER:
        good = len(sorts) == 2 and alike(*sorts)
        return (first if name in SAME else "Bool") if good else None
    if name == "concat":
        return ("bits", first[1] + sorts[1][1], False) if len(sorts) == 2 else None
    if len(sorts) != 1:
        return None
    if name in ALONE:
        return first
    if name in SIGNS:
        return ("bits", first[1], name == "signed")
    if name == "bv2nat":
        return "Int"
    if name == "extract":
        high, low = numbers
        return ("bits", high - low + 1, False) if first[1] > high >= low >= 0 else None
    return ("bits", first[1] + numbers[0], first[2])


def number(bits, width):
    """What bits mean with a sign."""
    return bits - (1 << width) if bits >> (width - 1) else bits


def divided(a, b, width, signed):
    """Quotient and remainder, towards zero; by zero they are what SMT-LIB says."""
    if not signed:
        return (a // b, a % b) if b else ((1 << width) - 1, a)
    a, b = number(a, width), number(b, width)
    if b == 0:
        return (1 if a < 0 else -1), a
    quotient = abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)
    return quotient, a - quotient * b


def meaning(operator, values, sorts):
    """The value of an operator applied to values."""
    name, numbers = head(operator)
    if name == "int2bv":
        return values[0] % (1 << numbers[0])
    width, a, b = sorts[0][1], values[0], values[-1]
    if name in ("bvslt", "bvsle"):
        a, b = number(a, width), number(b, width)
    if name in ORDER:
        return a < b if name.endswith("lt") else a <= b
    if name in ("bvudiv", "bvsdiv", "bvurem", "bvsrem"):
        return divided(a, b, width, name[2] == "s")[name.endswith("rem")] % (1 << width)
    found = {
        "bvadd": lambda: a + b,
        "bvsub": lambda: a - b,
        "bvmul": lambda: a * b,
        "bvand": lambda: a & b,
        "bvor": lambda: a | b,
        "bvxor": lambda: a ^ b,
        "bvneg": lambda: -a,
        "bvnot": lambda: ~a,
        "bvshl": lambda: a << b if b < width else 0,
        "bvlshr": lambda: a >> b if b < width else 0,
        "bvashr": lambda: number(a, width) >> min(b, width),
        "signed": lambda: a,
        "unsigned": lambda: a,
    }
    if name in found:
        return found[name]() % (1 << width)
    if name == "concat":
        return (a << sorts[1][1]) | b
    if name == "bv2nat":
        return a
    if name == "extract":
        return (a >> numbers[1]) % (1 << (numbers[0] - numbers[1] + 1))
    if name == "zero_extend":
        return a
    return number(a, width) % (1 << (width + numbers[0]))


class MachineIntegers:
    """What the language says of them, as terms."""

    def machine(self, tag, place, *operands):
        """An operator of the language, of which the first operand is a machine integer."""
        terms = self.terms
        if tag not in ARITHMETIC:
            raise NotCovered(f"`{tag}` of machine integers", place[0])
        return terms.apply(ARITHMETIC[tag][terms.sort(operands[0])[2]], *operands)

    def with_sign(self, term, signed):
        if self.terms.sort(term)[2] == signed:
            return term
        return self.terms.apply("signed" if signed else "unsigned", term)

    def converted(self, term, width, signed, place):
        """A number as a machine integer: modulo the width, or of the same value."""
        terms, sort = self.terms, self.terms.sort(term)
        if sort == "Int":
            found = self.modulo(term, width)
        elif not is_bits(sort) or sort[2] != signed:
            raise Malformed(f"no conversion from {sort}, line {place[0]}")
        elif sort[1] == width:
            found = term
        elif sort[1] > width:
            found = terms.apply(f"(_ extract {width - 1} 0)", term)
        else:
            found = terms.apply(f"(_ {'sign' if signed else 'zero'}_extend {width - sort[1]})", term)
        return self.with_sign(found, signed)

    def modulo(self, term, width):
        """An integer modulo 2^width: sums and products are those of the remainders, which solvers know less well."""
        terms, (operator, data, _) = self.terms, self.terms.list[term]
        if operator in ("+", "-", "*", "neg"):
            name = {"+": "bvadd", "-": "bvsub", "*": "bvmul", "neg": "bvneg"}[operator]
            return terms.apply(name, *(self.modulo(operand, width) for operand in data))
        if operator == "mod" and (terms.value(data[1]) or 1) % (1 << width) == 0:
            return self.modulo(data[0], width)  # of the remainder the lower bits are those of the number
        if operator == "ite":
            return terms.apply("ite", data[0], *(self.modulo(operand, width) for operand in data[1:]))
        if operator == "bv2nat":
            bits = self.with_sign(data[0], False)
            return self.converted(bits, width, False, (0, 0))
        return terms.apply(f"(_ int2bv {width})", term)

    def exact(self, term):
        """The integer that a machine integer is."""
        terms, (_, width, signed) = self.terms, self.terms.sort(term)
        operator, data, _ = terms.list[term]
        if operator in SIGNS:
            operator, data, _ = terms.list[data[0]]
        if operator == f"(_ int2bv {width})":
            half = terms.constant(1 << (width - 1) if signed else 0, "Int")
            shifted = terms.apply("mod", terms.apply("+", data[0], half), terms.constant(1 << width, "Int"))
            return terms.apply("-", shifted, half)
        natural = terms.apply("bv2nat", term)
        if not signed:
            return natural
        zero = terms.constant(0, terms.sort(term))
        less = terms.apply("-", natural, terms.constant(1 << width, "Int"))
        return terms.apply("ite", terms.apply("bvslt", term, zero), less, natural)

    def bits(self, term, high, low, place):
        """`x[high:low]`, without a sign."""
        sort = self.terms.sort(term)
        if not is_bits(sort) or not sort[1] > high >= low >= 0:
            raise Malformed(f"no bits {high} to {low}, line {place[0]}")
        return self.with_sign(self.terms.apply(f"(_ extract {high} {low})", term), False)
