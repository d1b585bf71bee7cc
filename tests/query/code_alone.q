# Stages over bytecode that is beside nothing, and over a profile without bytecode.
# file: demo/notes.jar
methods | where name = unread | bugs | select kind line
methods | where name = any | bytecode | select offset line opcode operands locals
bugs | where kind = "handler-no-close" | bytecode | count
bugs | methods
classes | bugs
