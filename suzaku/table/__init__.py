"""What the tables of all games share: one table, many, the loops over them, rules, claims, walls, drawings."""
