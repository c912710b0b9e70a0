# SPDX-License-Identifier: GPL-3.0-or-later
# What every target of the project shares: the language, the warnings, the sanitizers.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

# For what is compiled more often than it is waited for. GCC 13 and later refuse the precompiled headers of -O3 below -O2,
# which sets other options of the processor.
set(TRAINYARD_LIGHT_OPTIMIZATION -O1)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  set(TRAINYARD_LIGHT_OPTIMIZATION -O2)
endif()

# The programs find one another beside themselves, in the build folder as after installation.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

add_library(trainyard_options INTERFACE)
target_compile_options(trainyard_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees an overlap in every `"literal" + std::string()` (its bug 105651).
  target_compile_options(trainyard_options INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # Only with Debian 12's compiler, so that a newer one never stops a user's build. What newer ones guess after inlining
  # is often wrong: GCC 14 about an empty QByteArray, GCC 16 about copies of std::variant.
  target_compile_options(trainyard_options INTERFACE -Werror)
endif()
target_compile_definitions(trainyard_options INTERFACE QT_NO_KEYWORDS TRAINYARD_VERSION="${PROJECT_VERSION}")
target_include_directories(trainyard_options INTERFACE "${PROJECT_SOURCE_DIR}")
if(TRAINYARD_SANITIZE STREQUAL "address")
  target_compile_options(trainyard_options INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(trainyard_options INTERFACE -fsanitize=address,undefined)
elseif(TRAINYARD_SANITIZE STREQUAL "thread")
  target_compile_options(trainyard_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(trainyard_options INTERFACE -fsanitize=thread)
endif()
if(TRAINYARD_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # what the sanitizers add makes it see what is not there
  target_compile_options(trainyard_options INTERFACE -Wno-maybe-uninitialized)
endif()
