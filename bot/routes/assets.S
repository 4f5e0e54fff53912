    .section .rodata
    .global writ_openapi_json
    .global writ_openapi_json_end
writ_openapi_json:
    .incbin "openapi.json"
writ_openapi_json_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits
