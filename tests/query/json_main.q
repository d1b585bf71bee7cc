# Of trace events that name no thread main: the one with the id of its process.
# file: tests/fuzz/corpus/json/processes
threads | select id name tid main
