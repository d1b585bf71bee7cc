# A histogram of .NET with thousands separators.
# file: tests/fuzz/corpus/counts/dotnet_new
overview | select line value share subject
classes | select name module objects shallow
growth | select shallow_delta shallow objects_delta always name
