# The last trace of a tar archive is cut.
# file: tests/fuzz/corpus/zip/perfetto_tar_cut
info | where field ~ /^(format|encoding|unpacked|loss)/
