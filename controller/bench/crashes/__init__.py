"""Campaign of power cuts, kills, slow cards and damaged files: is anything lost that was acknowledged?"""
