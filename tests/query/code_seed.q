# The rules of the FindBugs detectors.
# file: demo/notes.jar
# args: --rules seed
bugs | select kind method line why
