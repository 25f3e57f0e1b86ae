// Clang computes this sum while it generates code.
int main(void){ int x = 2147483647 + 1; return x; }
