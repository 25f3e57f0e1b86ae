#include <heddle/heddle.h>
#include <heddle_build.h>

const char* heddle_version(void) {
  return *HEDDLE_COMMIT ? HEDDLE_VERSION " (" HEDDLE_COMMIT ")" : HEDDLE_VERSION;
}
