# Weights of folded stacks are plain numbers; what is none is refused.
# file: tests/fuzz/corpus/table/prices.csv
records | select stack, ms as weight | format folded
records | select stack, ms/0 as weight | format folded
records | select stack, ms/1000000 as weight | format folded
records | select stack, ms*1000000000000000 as weight | format folded
records | select stack, less as weight | format folded
records | select stack, name as weight | format folded
