# The reader of C is a module beside the program that is loaded when it meets a C file: Clang and LLVM cost every start
# 28 ms if they are linked. Our models of library functions are C texts that it holds (src/frontend/c/library).
if(HEDDLE_C)
  find_package(LLVM 19.1 REQUIRED CONFIG)
  find_package(yaml-cpp REQUIRED)

  file(GLOB library_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/library/*)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${library_sources})
  set(rows "")
  foreach(source ${library_sources})
    get_filename_component(name ${source} NAME)
    file(READ ${source} text)
    string(APPEND rows "  {\"${name}\", R\"heddle(${text})heddle\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/c_library_texts.cpp @ONLY CONTENT [[
// Written by cmake from src/frontend/c/library.
#include "frontend/c/module/library.hpp"
namespace heddle::frontend::c {
const std::vector<LibraryText>& library_texts() {
  static const std::vector<LibraryText> texts = {
@rows@  };
  return texts;
}
}  // namespace heddle::frontend::c
]])

  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/module/*.cpp)
  group_sources(${sources})
  add_library(heddle_c MODULE ${sources} ${CMAKE_BINARY_DIR}/c_library_texts.cpp)
  set_target_properties(heddle_c PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  target_include_directories(heddle_c SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(heddle_c PRIVATE HEDDLE_CLANG_BINARY="${LLVM_TOOLS_BINARY_DIR}/clang"
                             HEDDLE_CLANG_RESOURCES="${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}")
  target_compile_options(heddle_c PRIVATE ${quickly_compiled})
  target_link_directories(heddle_c PRIVATE ${LLVM_LIBRARY_DIR})
  target_link_libraries(heddle_c PRIVATE heddle_base clang-cpp LLVM yaml-cpp)
  target_compile_definitions(heddle_frontend PRIVATE HEDDLE_C)
  add_dependencies(heddle_frontend heddle_c)
endif()
