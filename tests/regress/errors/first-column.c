int before;
unknown after;
int main(void) {}
