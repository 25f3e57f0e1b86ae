This is a letter, not a program.
