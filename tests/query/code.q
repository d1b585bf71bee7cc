# Bytecode: the jar of the demo.
# file: demo/notes.jar
info | where field !~ /index|loader|sandbox/
classes | select class super methods bytes
classes | select class source file
methods | where bytes > 40 | select class name descriptor access bytes first_line last_line
bytecode com.example.notes.Cursors.close | select offset line opcode operands locals
bugs | select kind method line why severity
bugs all | where kind = throw-leak | select kind method why severity
bugs | where method ~ find | select offset fault detail descriptor
methods | count
bytecode /find$/ | where opcode ~ /invoke/ | select offset operands
bugs some
bytecode nothing
bytecode 'com.example.notes.Cursors.close(Landroid/database/Cursor;)V' | count
bytecode 'com.example.notes.Cursors.<init>' | count
bytecode com.example.notes.Cursors.close(Landroid/database/Cursor;)V
bytecode com.example.notes.Cursors.<init>
