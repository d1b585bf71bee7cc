# Functions of C++ and Rust have the names of their sources; broken symbols, and those whose names are too long, stay as they are.
# needs: USE_LIBIBERTY
# dir: perfettocases.py
# open: symbols.pftrace
methods | select method
methods | where method ~ /^demo::/ | count
callers 'demo::parse' | count
merged | fold /^demo/ | select method
