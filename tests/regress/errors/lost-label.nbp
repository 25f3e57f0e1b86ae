void main() begin
  1: goto 7;
  2: assert(0);
end
