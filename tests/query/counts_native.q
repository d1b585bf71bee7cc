# A detailed report of JDK 25.
# file: tests/fuzz/corpus/counts/detail25
info | where field ~ /native|unread|format/
overview
native_memory | top 4 committed
native_sites
