    .macro asset name, path
    .global writ_demo_\name
    .global writ_demo_\name\()_end
writ_demo_\name\():
    .incbin "\path"
writ_demo_\name\()_end:
    .byte 0
    .endm

    .section .rodata
    asset script, "script.json"
    asset page, "page/index.html"
    asset style, "page/demo.css"
    asset program, "page/demo.js"
    .section .note.GNU-stack,"",@progbits
