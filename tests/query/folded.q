# args: -o folded
calls main | head 12
merged | head 12
inverted main | head 8
