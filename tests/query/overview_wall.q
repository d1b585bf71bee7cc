# args: --clock wall
overview | where line ~ top | select line value share subject opens
