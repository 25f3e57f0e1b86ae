# Run by every build (cmake -P): writes the commit that is checked out into a header, if it has changed. So a new commit
# recompiles the two files that print it and nothing else.
#
#   SOURCE, OUTPUT: the checkout, the header
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty=+ --abbrev=10 --exclude=*
                  OUTPUT_VARIABLE commit RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(failed)
    set(commit "")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define HEDDLE_COMMIT \"${commit}\"\n" @ONLY)
