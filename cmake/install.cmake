# What an installation holds, and where (docs/install.md). Target heddle_all: everything that is installed.
set(doc_folder ${CMAKE_INSTALL_DATADIR}/doc/heddle)

# Manual pages and completions: the program writes them from its option tables.
set(generated ${CMAKE_BINARY_DIR}/generated)
add_custom_command(OUTPUT ${generated}/heddle.1
                   COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}
                   COMMAND heddle generate ${generated}
                   DEPENDS heddle VERBATIM)
add_custom_target(heddle_generated ALL DEPENDS ${generated}/heddle.1)

set(modules heddle_z3 heddle_cvc5 heddle_glpk)
if(HEDDLE_C)
  list(APPEND modules heddle_c)
endif()
add_custom_target(heddle_all DEPENDS heddle heddle_generated heddle_shared ${modules})

install(TARGETS heddle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(TARGETS ${modules} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/heddle COMPONENT program)
install(DIRECTORY ${generated}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program FILES_MATCHING PATTERN "*.1")
install(FILES ${generated}/heddle.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME heddle COMPONENT program)
install(FILES ${generated}/_heddle DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
install(FILES ${generated}/heddle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${doc_folder} COMPONENT program)
install(DIRECTORY docs examples contrib DESTINATION ${doc_folder} COMPONENT program)

# The library: for programs that are linked with it, and for those who write them.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
install(TARGETS heddle_shared EXPORT heddle LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT program
        NAMELINK_COMPONENT development)
install(DIRECTORY include/heddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT heddle NAMESPACE heddle:: FILE heddle-config.cmake DESTINATION ${package_folder} COMPONENT development)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/heddle-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/heddle-config-version.cmake DESTINATION ${package_folder} COMPONENT development)
# Paths relative to the file itself, so that the folder can be moved.
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/heddle.pc.in heddle.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/heddle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

if(HEDDLE_PYTHON_MODULE)
  add_subdirectory(bindings/python)
endif()
