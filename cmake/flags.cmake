# The flags that everything of volnav's own is compiled with: volnav_flags(target). Each compiler gets a set of its own, and one that is not
# known gets none. Tested: GCC and Clang. Untested: AppleClang, MSVC and clang-cl, whose sets are from their documentation.

set(volnav_gnu_compilers GNU Clang AppleClang)
if(MSVC AND CMAKE_C_COMPILER_ID STREQUAL "Clang")
  set(VOLNAV_COMPILER clang-cl)
elseif(CMAKE_C_COMPILER_ID STREQUAL "MSVC")
  set(VOLNAV_COMPILER msvc)
elseif(CMAKE_C_COMPILER_ID IN_LIST volnav_gnu_compilers)
  set(VOLNAV_COMPILER gnu)
else()
  set(VOLNAV_COMPILER other)
  message(WARNING "${CMAKE_C_COMPILER_ID} is not known here. It must not fuse a*b+c into one rounding, or results differ from other machines.")
endif()

# Same results on every processor: a*b+c is never fused into one rounding. No code reads errno after sqrt: without errno the compiler emits
# the bare instruction, with it a branch and a call to libm. __FILE__ (asserts) is relative to the repo, so that objects do not depend on
# where it was checked out.
set(volnav_options_gnu
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  $<$<BOOL:${VOLNAV_WERROR}>:-Werror>
  -ffp-contract=off -fno-math-errno -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(MINGW)
  list(APPEND volnav_options_gnu -Wno-float-conversion) # its isnan and isfinite are macros that convert
endif()

# /fp:precise fuses nothing since Visual Studio 2022, whose 17.5 is the first with C11 atomics. fopen and the like are the standard's.
set(volnav_options_msvc
  /W4 /utf-8 /fp:precise
  $<$<COMPILE_LANGUAGE:C>:/experimental:c11atomics> $<$<BOOL:${VOLNAV_WERROR}>:/WX>)
set(volnav_options_clang-cl
  /W4 /utf-8 $<$<BOOL:${VOLNAV_WERROR}>:/WX>
  /clang:-ffp-contract=off /clang:-fno-math-errno /clang:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
set(volnav_options_other)

if(VOLNAV_SANITIZE AND NOT VOLNAV_COMPILER STREQUAL "gnu")
  message(FATAL_ERROR "VOLNAV_SANITIZE needs GCC or Clang")
endif()

function(volnav_flags target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
  target_compile_options(${target} PRIVATE ${volnav_options_${VOLNAV_COMPILER}})
  target_compile_definitions(${target} PRIVATE
    VOLNAV_THREADS=$<BOOL:${VOLNAV_THREADS}> VOLNAV_SIMD=$<BOOL:${VOLNAV_SIMD}>
    VOLNAV_ZSTD=$<BOOL:${VOLNAV_ZSTD}> VOLNAV_ASSERTS=$<BOOL:${VOLNAV_ASSERTS}>
    $<$<BOOL:${MSVC}>:_CRT_SECURE_NO_WARNINGS>)
  if(VOLNAV_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${VOLNAV_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${VOLNAV_SANITIZE})
  endif()
endfunction()
