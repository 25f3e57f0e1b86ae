static int unused(void) { return 1; }
int helper(void) { return unused(); }
