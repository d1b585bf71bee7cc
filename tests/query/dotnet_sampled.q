# The same for samples.
# file: tests/fuzz/corpus/json/dotnet_sampled.json
methods | select method, samples, self
methods | state unmanaged* | select method, samples, self
methods | state CPU | sum self
