# A dex file in an APK.
# file: tests/fuzz/corpus/zip/random.apk
info | where field !~ /index|loader|sandbox/
classes | select class super methods bytes
bytecode demo.Random.m0 | head 8 | select offset line opcode operands locals
bugs | select kind method line fault_line why
