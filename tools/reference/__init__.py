"""The generated reference of the documentation site: pages of plain MyST Markdown, made of the program's own texts."""
