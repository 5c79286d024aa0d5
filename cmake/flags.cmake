# The flags that everything of volnav's own is compiled with: volnav_flags(target).

function(volnav_flags target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    $<$<BOOL:${VOLNAV_WERROR}>:-Werror>
    # Same results on every processor: a*b+c is never fused into one rounding.
    -ffp-contract=off
    # No code reads errno after sqrt: without errno the compiler emits the bare instruction, with it a branch and a call to libm.
    -fno-math-errno
    # __FILE__ (asserts) is relative to the repo, so that objects do not depend on where it was checked out.
    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
  target_compile_definitions(${target} PRIVATE
    VOLNAV_THREADS=$<BOOL:${VOLNAV_THREADS}> VOLNAV_SIMD=$<BOOL:${VOLNAV_SIMD}>
    VOLNAV_ZSTD=$<BOOL:${VOLNAV_ZSTD}> VOLNAV_ASSERTS=$<BOOL:${VOLNAV_ASSERTS}>)
  if(VOLNAV_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${VOLNAV_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${VOLNAV_SANITIZE})
  endif()
endfunction()
