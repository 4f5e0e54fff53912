// A table of (path, begin, end), a row a file; PageAsset in page_files.cc is a row.
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

    .section .data.rel.ro, "aw", @progbits
    .balign 8
    .global writ_shared_pages
writ_shared_pages:
    page "/pages/style.css", "shared/style.css"
    page "/pages/json.js", "shared/json.js"
    page "/pages/dom.js", "shared/dom.js"
    page "/pages/words.js", "shared/words.js"
    .global writ_shared_pages_end
writ_shared_pages_end:
    .global writ_inbox_pages
writ_inbox_pages:
    page "/inbox", "inbox/index.html"
    page "/inbox/inbox.css", "inbox/inbox.css"
    page "/inbox/api.js", "inbox/api.js"
    page "/inbox/card.js", "inbox/card.js"
    page "/inbox/fields.js", "inbox/fields.js"
    page "/inbox/form.js", "inbox/form.js"
    page "/inbox/live.js", "inbox/live.js"
    page "/inbox/main.js", "inbox/main.js"
    page "/inbox/operator.js", "inbox/operator.js"
    page "/inbox/question.js", "inbox/question.js"
    page "/inbox/schema.js", "inbox/schema.js"
    page "/inbox/store.js", "inbox/store.js"
    .global writ_inbox_pages_end
writ_inbox_pages_end:
    .section .note.GNU-stack, "", @progbits
