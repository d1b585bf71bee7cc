# The frames that dotnet-trace puts on top of stacks are states of threads, not functions.
# file: tests/fuzz/corpus/json/dotnet.json
methods | select method, calls, self, total
states | select thread state start_wall wall class
