"""From files, folders and archives of records to a store."""
