"""Campaign `records`: games of every kind told as text and read again."""
