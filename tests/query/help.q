# Help about the language.
help
help calls
help columns
help format | select item kind meaning
columns threads
threads | select name cpu | columns
help all | where kind != source | select item meaning
help clals
columns sort
columns
schema | where source = help
schema | where column = shown | select source column unit shown | format json
schema | group type unit : count | where unit != ""
# Booleans: true and false in JSON, counts in sums.
threads | sort -main | head 1 | select name main | format json
threads | group main : count | format json
threads | sum main
threads | where main = 1 | count
