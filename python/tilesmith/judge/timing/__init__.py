"""How fast is a candidate that is right (`tilesmith bench`)."""
