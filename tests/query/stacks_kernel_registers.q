# Registers and marks of interrupts in a report of the kernel are known, and nothing is said to be unread.
# file: tests/fuzz/corpus/stacks/kernel_registers
overview | where line in (story, 'not read') | select line subject
