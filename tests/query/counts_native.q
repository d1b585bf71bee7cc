# A detailed report of JDK 25.
# file: tests/fuzz/corpus/counts/detail25
info | where field ~ /native|unread|format/
overview | select line value subject
native_memory | top 4 committed | select committed reserved name malloc
native_sites | select bytes count category function
