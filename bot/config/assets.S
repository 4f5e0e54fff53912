    .section .rodata
    .global asset_config_schema
    .global asset_config_schema_end
asset_config_schema:
    .incbin "config/writ.schema.json"
asset_config_schema_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits
