# Help about the language.
help calls
help columns
help format | select item kind meaning
columns threads
threads | select name cpu | columns
help | where kind != source | select item meaning
help clals
columns sort
columns
