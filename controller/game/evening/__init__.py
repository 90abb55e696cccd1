"""An evening of many matches: who meets whom, who leads, who is left. Pure; `shutbox evening` plays it on boxes."""
