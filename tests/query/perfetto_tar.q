# A tar archive of Perfetto traces opens as if they were concatenated.
# file: tests/fuzz/corpus/zip/perfetto_tar
info | where field ~ /^(format|encoding|unpacked|loss)/
spans | select thread method start_wall wall
