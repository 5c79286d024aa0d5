# WebAssembly, built with Debian's clang, lld and wasi-libc: one module without imports, bindings/js.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_COMPILER_WORKS TRUE) # a trial program would need an entry point
# no-strict-aliasing: at -Oz clang 14 dropped stores around an access that reached beyond a member; a guard against others
set(CMAKE_C_FLAGS_INIT "-msimd128 -fno-strict-aliasing")
set(VOLNAV_WASM ON)
