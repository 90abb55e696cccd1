"""Claims of Fleet! and Flash!: drawn and laid (`drawing`), read and judged (`trials`), counted (`report`)."""
