# Objects that are larger than their fields say: stacks of virtual threads, fields and padding of the VM.
# heap: stacks
info | where field ~ /^layout/
classes | where objects > 0 | select name objects shallow instance_size | sort name
objects jdk.internal.vm.StackChunk | select shallow retained
objects com.example.Worker | select shallow retained
histogram | head 4 | select name objects shallow
