# args: -o table
# The same for people: units stay.
records | group action : avg wall, count
methods | group class : sum self, avg calls | top 3 sum_self
