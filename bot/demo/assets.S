// The page's files as in bot/pages/assets.S, and the model's script.
    .macro page path, file
    .section .rodata
.Lpath\@:
    .asciz "\path"
.Lbegin\@:
    .incbin "\file"
.Lend\@:
    .byte 0
    .section .data.rel.ro, "aw", @progbits
    .quad .Lpath\@, .Lbegin\@, .Lend\@
    .endm

    .section .rodata
    .global writ_demo_script
writ_demo_script:
    .incbin "script.json"
    .global writ_demo_script_end
writ_demo_script_end:
    .byte 0

    .section .data.rel.ro, "aw", @progbits
    .balign 8
    .global writ_demo_pages
writ_demo_pages:
    page "/", "page/index.html"
    page "/demo/demo.css", "page/demo.css"
    page "/demo/main.js", "page/main.js"
    page "/demo/chat.js", "page/chat.js"
    page "/demo/crm.js", "page/crm.js"
    page "/demo/happenings.js", "page/happenings.js"
    page "/demo/scenes.js", "page/scenes.js"
    .global writ_demo_pages_end
writ_demo_pages_end:
    .section .note.GNU-stack, "", @progbits
