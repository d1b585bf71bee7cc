# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Names of functions as compilers write them, built from their parts, so that their class is known."""

WORDS = ("add", "cart", "find", "Item", "Map", "shop", "acme", "Vec", "T", "read_all", "x2")
PLAIN = ("int", "char const*", "unsigned long", "u8", "&mut [T]", "(A, B)", "[i32]")
OWN = ("operator()", "operator<<", "operator<", "operator->", "operator bool", "operator new[]", "operator==")


def word(rng):
    return rng.choice(WORDS) + rng.choice(("", "", "_", "3"))


def a_type(rng, depth=0):
    kind = rng.randrange(5) if depth < 3 else 0
    if kind == 0:
        return rng.choice(PLAIN)
    if kind == 1:
        return "::".join(word(rng) for _ in range(rng.randrange(1, 4)))
    if kind == 2:
        return "std::%s%s" % (word(rng), in_brackets(rng, "<>", depth + 1))
    if kind == 3:
        return "void %s" % in_brackets(rng, "()", depth + 1)
    return "(anonymous namespace)::" + word(rng)


def in_brackets(rng, brackets, depth=0, least=0):
    return brackets[0] + ", ".join(a_type(rng, depth) for _ in range(rng.randrange(least, 3))) + brackets[1]


def cpp(rng):
    """ns::C<T>::run(int) const, (anonymous namespace)::f(), main::{lambda(int)#1}::operator()(int) const"""
    scope = []
    for _ in range(rng.randrange(4)):
        scope.append(rng.choice((
            word(rng), word(rng), word(rng) + in_brackets(rng, "<>", least=1), "(anonymous namespace)",
            "{lambda%s#%d}" % (in_brackets(rng, "()"), rng.randrange(1, 9)), word(rng) + in_brackets(rng, "()"))))
    own, result = word(rng), ""
    if rng.randrange(3) == 0:
        own = rng.choice(OWN)
    elif rng.randrange(3) == 0:
        own += in_brackets(rng, "<>", least=1)
        result = rng.choice(("", "void ", "unsigned long ", "std::vector<int, a::b> "))
    name = "::".join(scope + [own])
    return result + name + in_brackets(rng, "()") + rng.choice(("", "", " const", " [clone .cold]")), "::".join(scope)


def rust(rng):
    """<T as Trait>::drop, core::slice::{{closure}}, <impl Trait for T>::fmt"""
    path = "::".join(word(rng) for _ in range(rng.randrange(1, 4)))
    scope = rng.choice((path, "<%s as %s>" % (a_type(rng), path), "<impl %s for %s>" % (path, a_type(rng)),
                        "%s::<%s as %s>" % (word(rng), a_type(rng), path), path + "::{impl#2}"))
    for _ in range(rng.randrange(3)):
        scope += "::" + rng.choice((word(rng), "{{closure}}", "{closure#0}"))
    return scope + "::" + rng.choice((word(rng), "{{closure}}", "{closure#1}")), scope


def dotted(rng):
    """a.b.C.run, a/b/C.<init>, github.com/a/b.(*T).Do"""
    folders = [word(rng) for _ in range(rng.randrange(1, 4))]
    own = rng.choice((word(rng), word(rng) + "$1"))
    scope = rng.choice((".".join(folders), "/".join(folders), "example.com/%s.(*T)" % "/".join(folders)))
    return scope + "." + (own if "(" in scope else rng.choice((own, "<init>"))), scope


def name_and_class(rng):
    return rng.choice((cpp, cpp, rust, dotted, lambda r: (word(r) + r.choice(("", ".isra.0", ".cold")), "")))(rng)
