"""Small tools shared by programs and packages."""
