"""The formats of game records: Tenhou mjlog, tenhou.net/6 and mjai, read and written."""
