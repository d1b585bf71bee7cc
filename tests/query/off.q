# args: -o folded --clock off
calls main | head 14
