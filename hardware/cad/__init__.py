"""The box in wood: its parts as solids, their assembly, checks, drawings and lists. Needs the extra `cad`."""
