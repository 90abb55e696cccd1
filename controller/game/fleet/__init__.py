"""The races of Fleet! and Flash!"""
