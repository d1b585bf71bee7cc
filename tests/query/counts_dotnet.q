# A histogram of .NET with thousands separators.
# file: tests/fuzz/corpus/counts/dotnet_new
overview
classes
growth
