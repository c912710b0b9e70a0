# SPDX-License-Identifier: GPL-3.0-or-later
# Debian 12's LibTorch is linked with OpenCV, FFmpeg and a few more without a use of any symbol of theirs. They bring 210
# further libraries (GDAL, Qt 5, codecs, databases), which take two fifths of the time that a worker needs to start, and
# half of what is copied to a host without LibTorch. Empty libraries of the same names take their place in our programs
# alone. engine/torch/script/plugin.cpp loads the real ones for a plug-in that needs them.
set(TRAINYARD_STAND_INS "" CACHE INTERNAL "Their names; empty where LibTorch is linked with what it uses")
set(stand_ins_folder "${PROJECT_BINARY_DIR}/lib/trainyard/stand-ins")
find_library(TRAINYARD_TORCH_CPU torch_cpu HINTS "${TORCH_INSTALL_PREFIX}/lib")
mark_as_advanced(TRAINYARD_TORCH_CPU)

set(needed "")
if(TRAINYARD_TORCH_CPU AND CMAKE_READELF AND NOT TRAINYARD_SANITIZE)
  execute_process(COMMAND "${CMAKE_READELF}" -d "${TRAINYARD_TORCH_CPU}" OUTPUT_VARIABLE needed ERROR_QUIET)
endif()
string(REGEX MATCHALL "lib(opencv_[a-z0-9]+|avcodec|avformat|avutil|swscale|swresample|zmq|leveldb|lmdb|snappy)\\.so\\.[0-9a-z.]+"
  stand_ins "${needed}")
set(made TRUE)
foreach(name IN LISTS stand_ins)
  if(NOT EXISTS "${stand_ins_folder}/${name}")
    file(MAKE_DIRECTORY "${stand_ins_folder}")
    execute_process(RESULT_VARIABLE failed ERROR_QUIET COMMAND "${CMAKE_C_COMPILER}" -shared -nostartfiles -x c /dev/null
      "-Wl,-soname,${name},--no-as-needed,-z,relro,-z,now,-z,noexecstack,-s" -o "${stand_ins_folder}/${name}")
    if(failed)
      set(made FALSE)
    endif()
  endif()
endforeach()
if(stand_ins AND made)
  # The linker refuses, if LibTorch or what it needs uses a symbol that is then nowhere.
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES "${TRAINYARD_TORCH_CPU}")
  set(CMAKE_REQUIRED_LINK_OPTIONS "LINKER:--no-as-needed,--no-allow-shlib-undefined,-rpath-link,${stand_ins_folder}")
  check_cxx_source_compiles("int main() { return 0; }" TRAINYARD_STAND_INS_SUFFICE)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(TRAINYARD_STAND_INS_SUFFICE)
    set_property(CACHE TRAINYARD_STAND_INS PROPERTY VALUE "${stand_ins}")
  endif()
endif()
list(LENGTH TRAINYARD_STAND_INS count)
message(STATUS "LibTorch: empty libraries stand in for ${count} that it does not use")

# For programs two folders of which lie beside one another: bin/ and lib/, in the build folder as after installation.
function(trainyard_use_stand_ins)
  if(TRAINYARD_STAND_INS)
    foreach(program ${ARGN})
      # Unlike RUNPATH, RPATH holds for the libraries that LibTorch needs.
      target_link_options(${program} PRIVATE LINKER:--disable-new-dtags)
      # The same from the start: what CMake would write again at installation ends in an empty folder, the current one.
      set_target_properties(${program} PROPERTIES BUILD_WITH_INSTALL_RPATH ON
        INSTALL_RPATH "$ORIGIN/../lib/trainyard/stand-ins")
    endforeach()
  endif()
endfunction()
