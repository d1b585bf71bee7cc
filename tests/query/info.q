# What is known; sizes and paths left out.
info | where not field in (loader, "index path") and field !~ /^trace/
