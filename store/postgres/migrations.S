    .section .rodata
    .global writ_postgres_0001
    .global writ_postgres_0001_end
writ_postgres_0001:
    .incbin "migrations/0001_rows.sql"
writ_postgres_0001_end:
    .byte 0
    .global writ_postgres_0002
    .global writ_postgres_0002_end
writ_postgres_0002:
    .incbin "migrations/0002_changes.sql"
writ_postgres_0002_end:
    .byte 0
    .global writ_postgres_0003
    .global writ_postgres_0003_end
writ_postgres_0003:
    .incbin "migrations/0003_channels_of_events.sql"
writ_postgres_0003_end:
    .byte 0
    .global writ_postgres_0004
    .global writ_postgres_0004_end
writ_postgres_0004:
    .incbin "migrations/0004_commits.sql"
writ_postgres_0004_end:
    .byte 0
    .global writ_postgres_0005
    .global writ_postgres_0005_end
writ_postgres_0005:
    .incbin "migrations/0005_audit_asides.sql"
writ_postgres_0005_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits
