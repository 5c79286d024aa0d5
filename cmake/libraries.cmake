# volnav_library(name MODULES module... [DEPENDS library] [LINKS target...]): the sources of src/<module>/, compiled once, linked twice:
# volnav_shared (volnav::volnav) and volnav_static (volnav::volnav_static) for the name volnav. DEPENDS is a library of ours that
# users of this one see too, LINKS are others' that they do not. With INSIDE the library uses what DEPENDS hides: the static form links it
# like any other user, the shared one carries a copy of the parts that it uses and exports nothing of them.

function(volnav_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INSIDE" "DEPENDS" "MODULES;LINKS")
  set(sources)
  foreach(module IN LISTS arg_MODULES)
    file(GLOB module_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${module}/*.c)
    list(APPEND sources ${module_sources})
  endforeach()

  add_library(${name}_objects OBJECT ${sources})
  volnav_flags(${name}_objects)
  if(NOT VOLNAV_WASM)
    set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  target_include_directories(${name}_objects PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name}_objects PRIVATE ${arg_LINKS})
  if(WIN32)
    target_compile_definitions(${name}_objects PRIVATE VOLNAV_SHARED VOLNAV_BUILDING)
  endif()

  if(VOLNAV_WASM) # a module links the objects, and nothing else
    return()
  endif()

  set(output_name_shared ${name})
  set(output_name_static ${name})
  if(MSVC)
    set(output_name_static ${name}_static) # ${name}.lib is what links the DLL
  endif()
  foreach(kind shared static)
    string(TOUPPER ${kind} KIND)
    set(target ${name}_${kind})
    add_library(${target} ${KIND} $<TARGET_OBJECTS:${name}_objects>)
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${output_name_${kind}} LINKER_LANGUAGE C
      ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    target_include_directories(${target} INTERFACE
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_compile_features(${target} INTERFACE c_std_99)
    if(arg_INSIDE AND kind STREQUAL "shared")
      target_link_libraries(${target} PRIVATE ${arg_DEPENDS}_static INTERFACE ${arg_DEPENDS}_shared)
    elseif(arg_DEPENDS)
      target_link_libraries(${target} PUBLIC ${arg_DEPENDS}_${kind})
    endif()
    target_link_libraries(${target} PRIVATE
      ${arg_LINKS} $<$<BOOL:${VOLNAV_THREADS}>:Threads::Threads> $<$<BOOL:${UNIX}>:m>)
    if(VOLNAV_SANITIZE)
      target_link_options(${target} PUBLIC -fsanitize=${VOLNAV_SANITIZE})
    endif()
  endforeach()

  if(arg_INSIDE AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(${name}_shared PRIVATE LINKER:--exclude-libs,ALL)
  endif()
  set_target_properties(${name}_shared PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${VOLNAV_SOVERSION} EXPORT_NAME ${name})
  target_compile_definitions(${name}_shared INTERFACE VOLNAV_SHARED)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT VOLNAV_SANITIZE)
    target_link_options(${name}_shared PRIVATE LINKER:--no-undefined)
  endif()
  add_library(volnav::${name} ALIAS ${name}_shared)
  add_library(volnav::${name}_static ALIAS ${name}_static)
endfunction()
