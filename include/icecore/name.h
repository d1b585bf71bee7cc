/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * name: names of functions as compilers and profilers of many languages write them: their parts, and how
 * they are shortened.
 *
 * a.b.C.run, long a.b.C.run, a/b/C.run, a.b.C::run, ns::C<T>::run(int) const, (anonymous namespace)::f,
 * main::{lambda(int)#1}, <T as Trait>::run, path/pkg.(*T).Run, -[Class run:], func (dir/file.py:12), func -
 * dir/file.rb:12, JS:*func dir/file.js:12:5.  Any other text is one part.  Brackets may not match: scripts
 * cut names.
 */
#ifndef ICECORE_NAME_H
#define ICECORE_NAME_H

#include "icecore/base.h"

/* Pieces of one name, in this order; together they are all of it. */
struct name_parts {
	struct str	type;		/* "void ", "static ": prefix of the name itself */
	struct str	scope;		/* "ns::C<T>::": up to the last separator that is in no brackets */
	struct str	own;		/* "run" */
	struct str	rest;		/* "(int) const": from its arguments on */
	struct str	place;		/* " (dir/file.py:12)" */
};

/* The parts of a name of a function.  They point into it; those that it lacks are empty. */
struct name_parts name_parts(struct str name);
/* The scope without its last separator; *colons: that is two colons. */
struct str name_scope(const struct name_parts *, bool *colons);
/* The file that the place names, without its line; empty: none. */
struct str name_file(const struct name_parts *);

/*
 * Names and places at the start of a text, whatever follows them in its line.  The length of the name of a
 * function with its arguments, and of words such as const after these; 0: there is none.
 */
size_t	name_end(struct str);
/* The length of a file with its line, "dir/a.c:12:5", or of a module, "/lib/a.so (deleted)". */
size_t	name_end_place(struct str);

/*
 * The length of the name of an operator of C++ that begins at byte at, "operator<", "operator()", "operator
 * bool"; 0: none does.
 */
size_t	name_operator(struct str name, size_t at);
/*
 * 1 where byte at opens a bracket, -1 where it closes one.  The caller skips names of operators:
 * name_operator.
 */
int	name_bracket(struct str name, size_t at);

/*
 * A Java class without the parts that change between runs, so that it matches in two files of a program:
 * without the address of hidden classes and the number of lambdas and accessors.
 */
struct str name_lasting(struct str class);

/*
 * A class of the Java or Android platform or of Kotlin, with dots or slashes, or an array of one,
 * "[Ljava/lang/String;".
 */
bool	name_is_platform(struct str class);

/* The word of Java for a primitive type, by its letter in descriptors (JVMS 4.3); empty: there is none. */
struct str name_primitive(char letter);
/*
 * The elements of a class as JVMs name it, "java/lang/String" of "[[Ljava/lang/String;", and its
 * dimensions; other names are whole.
 */
struct str name_element(struct str class, size_t *dimensions);

/*
 * A name that Rust wrote with a hash and escapes for C++, as it is in the source: "<T as Drop>::drop" for
 * "_$LT$T$u20$as$u20$Drop$GT$::drop::h0123456789abcdef".  In the buffer if it has escapes; the same name
 * if it has no hash.
 */
struct str name_rust(struct str, struct buf *);
/*
 * Append "io.netty.Loop.run" for the forms that perf maps of JVMs have, and folded stacks of them:
 * "Lio/netty/Loop;::run", "Lio/netty/Loop;.run()V", "void io.netty.Loop.run()", "Lio/netty/Loop:::run",
 * "io/netty/Loop:::run", "io/netty/Loop.run", "io/netty/Loop:.run"; false: it is no such name, but a path, for example.
 */
bool	name_java(struct str symbol, struct buf *);
/*
 * Append the name of a C++, Rust or Java function, without its arguments, that a compiler wrote as a symbol:
 * "ns::run" for _ZN2ns3runEi, or as name_rust and name_java.  False, and nothing is appended: it is no such symbol, is
 * too long, or libiberty was not there when icecore was built.
 */
bool	name_demangle(struct str symbol, struct buf *);
/* Replace each number from an offset on by '*'; words: but those next to a letter or '_'. Return how many they are. */
size_t	name_star(struct buf *, size_t from, bool words);

/*
 * The number of a colour, below n.  It depends on the first three parts of a package, or the part before
 * colons, so that a library has one colour.
 */
unsigned name_hue(struct str name, unsigned hues);

/*
 * A word of at least 16 bytes that is a key of a service rather than a name: "sk_live_51H8xyzABCDEF", or letters among
 * digits that are no words.
 */
bool name_is_token(struct str);
/* The length of a key that says of which service it is, "sk_live_51H8xyzABCDEF", at the start of a text; 0: none. */
size_t name_key(struct str);

/* ---- short: in few columns ------------------------------------------------------------- */

/*
 * Appends fitted text in at most width columns; mark stands for dropped parts.  The least distinctive go
 * first: directories of the place, arguments, the place, the type, text in brackets, the innermost first,
 * the scope from its outer end on.  An own name that is too wide by itself is cut after its middle.
 */
void	name_short(struct buf *, struct str fitted, size_t width, struct str mark);

#define NAME_PLACES 4

/* A name, and how it is displayed among other names. */
struct name_shown {
	struct str	whole;			/* fitted */
	size_t		width;			/* available columns */
	struct buf	text;			/* displayed form; starts as BUF_INIT, the caller frees it */
	/* Bytes of whole that must stay visible to distinguish it from other names. */
	size_t		at[NAME_PLACES], n;
};

/* Different names are shortened differently, where their widths allow. */
void	names_short(struct name_shown *, size_t n, struct str mark);

#endif
