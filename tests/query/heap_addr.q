# Addresses are hexadecimal everywhere, and compared as numbers.
# args: -o json
# heap: heap
objects com.example.User | head 2 | select id addr class
objects com.example.User | sort addr | head 1 | select addr
objects com.example.User | sort -addr | head 1 | select addr
objects com.example.User | min addr
objects com.example.User | group addr | count
