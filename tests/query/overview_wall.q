# args: --clock wall
overview | where line ~ top
