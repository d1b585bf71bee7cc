# Numbers of sources, which differ from process to process, are no part of names; columns without content are not missing.
# make: gecko.py edge=sources
methods | sort name | select name self total file line
info | where field ~ /^unread/
