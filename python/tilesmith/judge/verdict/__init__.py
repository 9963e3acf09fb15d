"""Is a candidate right? Results against golden ones, case by case (`tilesmith verify`, `asc.verify`)."""
