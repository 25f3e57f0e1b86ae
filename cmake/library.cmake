# The commit that the program and the library print: the header is looked at by every build and written when it changes.
add_custom_target(heddle_commit
                  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUTPUT=${CMAKE_BINARY_DIR}/commit/heddle_build.h
                          -P ${CMAKE_SOURCE_DIR}/cmake/commit.cmake
                  BYPRODUCTS ${CMAKE_BINARY_DIR}/commit/heddle_build.h VERBATIM)
set(commit_sources ${CMAKE_SOURCE_DIR}/src/cli/version.cpp ${CMAKE_SOURCE_DIR}/src/library/version.cpp)
set_source_files_properties(${commit_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON
                            INCLUDE_DIRECTORIES ${CMAKE_BINARY_DIR}/commit)
add_dependencies(heddle heddle_commit)

# libheddle: the C interface, which runs the program. It uses nothing of ours, so that it stays small and a program that
# embeds it gets neither solvers nor Clang.
file(GLOB shared_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/library/*.cpp)
group_sources(${shared_sources})
add_library(heddle_shared SHARED ${shared_sources})
file(RELATIVE_PATH bin_from_lib ${CMAKE_INSTALL_FULL_LIBDIR} ${CMAKE_INSTALL_FULL_BINDIR})
set_target_properties(heddle_shared PROPERTIES OUTPUT_NAME heddle SOVERSION 1 EXPORT_NAME heddle
                      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                      LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/exports.map)
target_compile_definitions(heddle_shared PRIVATE HEDDLE_BIN_FROM_LIB="${bin_from_lib}")
target_include_directories(heddle_shared PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(heddle_shared PRIVATE $<BUILD_INTERFACE:heddle_flags> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
# Templates of the standard library that were compiled into it stay inside, too.
target_link_options(heddle_shared PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/exports.map)
if(NOT HEDDLE_SANITIZE)
  target_compile_options(heddle_shared PRIVATE -O1)
endif()
add_dependencies(heddle_shared heddle_commit)
