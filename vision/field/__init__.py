"""The field in the picture: its markers and their occlusion, the lens, the pose of the camera, the view from above."""
