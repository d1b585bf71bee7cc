# A dex file in an APK.
# file: tests/fuzz/corpus/zip/random.apk
info | where field !~ /index|loader|sandbox/
classes
bytecode demo.Random.m0 | head 8
bugs | select kind method line fault_line why
