"""The pages of the table in a real Chromium: whole games on tablet, phone and wall, only by what these show and say."""
