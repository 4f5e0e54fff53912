# cmake -D VERSION=… -D SOURCE=… -D OUTPUT=… -P version.cmake: the definition of writ::bot::Version().
# The commit is git's word; in a tarball that `git archive` made it is what git wrote into
# commit.txt; else it is not known.
set(commit "")
if(EXISTS ${SOURCE}/.git)
  find_program(GIT git)
  if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain --untracked-files=no
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    if(commit AND changes)
      string(APPEND commit "-changed")
    endif()
  endif()
endif()
if(NOT commit)
  file(STRINGS ${SOURCE}/cmake/commit.txt commit LIMIT_COUNT 1)
  string(SUBSTRING "${commit}" 0 12 commit)
  if(NOT commit MATCHES "^[0-9a-f]+$")
    set(commit "unknown")
  endif()
endif()
set(text "#include \"bot/version.h\"

namespace writ::bot {

std::string_view Version() { return \"${VERSION} (${commit})\"; }

}  // namespace writ::bot
")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
