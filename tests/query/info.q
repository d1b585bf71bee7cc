# Facts about a file, without sizes and paths.
info | where not field in (loader, "index path") and field !~ /^trace/
