# Bytecode beside a profile: methods by their names, with the lines of frames.
# file: tests/fuzz/corpus/folded/notes
# args: --classes SRC/demo/notes.jar
info | where field ~ /^(code|bugs)/
bugs | methods | select name self total
methods | where total > 30 | bugs | select kind method line why
calls | where method ~ unread | bugs all | select kind why
methods | where name ~ find | bytecode | select offset line opcode share | where share > 0
bytecode *.Search.hits | methods | select name
bugs | bytecode | count
threads | methods | head 1 | select name
methods | head 1 | methods
