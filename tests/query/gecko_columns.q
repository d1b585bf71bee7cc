# Columns of a library and of a file; weights; versions that share tables.
# file: tests/fuzz/corpus/gecko/seed35
methods | select name module kind self
methods | by module | select name self total module
events | select name kind samples weight unit period
