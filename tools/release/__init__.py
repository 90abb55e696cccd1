"""What a release is made of: packages, update files, their bills of materials and licences, sums and signature."""
