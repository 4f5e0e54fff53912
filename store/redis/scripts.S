    .macro script name, file
    .global writ_redis_\name
    .global writ_redis_\name\()_end
writ_redis_\name:
    .incbin "\file"
writ_redis_\name\()_end:
    .byte 0
    .endm

    .section .rodata
    script checks, "scripts/checks.lua"
    script commit, "scripts/commit.lua"
    script look, "scripts/look.lua"
    script open, "scripts/open.lua"
    .section .note.GNU-stack,"",@progbits
