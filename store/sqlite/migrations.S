    .section .rodata
    .global writ_sqlite_0001
    .global writ_sqlite_0001_end
writ_sqlite_0001:
    .incbin "migrations/0001_rows.sql"
writ_sqlite_0001_end:
    .byte 0
    .global writ_sqlite_0002
    .global writ_sqlite_0002_end
writ_sqlite_0002:
    .incbin "migrations/0002_events_and_audit.sql"
writ_sqlite_0002_end:
    .byte 0
    .global writ_sqlite_0003
    .global writ_sqlite_0003_end
writ_sqlite_0003:
    .incbin "migrations/0003_consents.sql"
writ_sqlite_0003_end:
    .byte 0
    .global writ_sqlite_0004
    .global writ_sqlite_0004_end
writ_sqlite_0004:
    .incbin "migrations/0004_budgets.sql"
writ_sqlite_0004_end:
    .byte 0
    .global writ_sqlite_0005
    .global writ_sqlite_0005_end
writ_sqlite_0005:
    .incbin "migrations/0005_budgets_since.sql"
writ_sqlite_0005_end:
    .byte 0
    .global writ_sqlite_0006
    .global writ_sqlite_0006_end
writ_sqlite_0006:
    .incbin "migrations/0006_changes.sql"
writ_sqlite_0006_end:
    .byte 0
    .global writ_sqlite_0007
    .global writ_sqlite_0007_end
writ_sqlite_0007:
    .incbin "migrations/0007_channels_of_events.sql"
writ_sqlite_0007_end:
    .byte 0
    .global writ_sqlite_0008
    .global writ_sqlite_0008_end
writ_sqlite_0008:
    .incbin "migrations/0008_audit_asides.sql"
writ_sqlite_0008_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits
