# A file that does not say when it began has no moments.
methods | range 14:03:10 14:03:20
