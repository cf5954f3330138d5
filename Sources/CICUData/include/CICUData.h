// Nothing of it is called: it takes the place of ICU's data when the command is linked.
