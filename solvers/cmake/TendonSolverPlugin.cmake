# tendon_add_solver_plugin(NAME <name> CLASS <class> HEADER <file> METADATA <solver.json>
#                          [SOURCES file...] [LIBRARIES target...])
#
# Makes a solver plugin: the module library tendon-<name> in ${CMAKE_BINARY_DIR}/bin/plugins, installed to
# lib/tendon/plugins. The object that Qt loads is generated; an author writes the solver alone.
#
#   NAME       letters, digits, - and _; the target is tendon_plugin_<name>, with _ for -
#   CLASS      the solver: derived from tendon::sdk::Solver, with a constructor that takes nothing
#   HEADER     declares CLASS
#   METADATA   the solver's description; resources/schemas/solver.schema.json says what it holds
#   SOURCES    further files to compile into the plugin
#   LIBRARIES  what it is linked with, besides the SDK and the kit
#
# Works the same within Tendon and, through find_package(TendonSdk), outside it.

set(TENDON_SOLVER_PLUGIN_SHELL "${CMAKE_CURRENT_LIST_DIR}/SolverPluginShell.cpp.in")

function(tendon_add_solver_plugin)
    cmake_parse_arguments(PARSE_ARGV 0 ARG "" "NAME;CLASS;HEADER;METADATA" "SOURCES;LIBRARIES")
    foreach(required NAME CLASS HEADER METADATA)
        if(NOT ARG_${required})
            message(FATAL_ERROR "tendon_add_solver_plugin: ${required} is missing")
        endif()
    endforeach()
    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "tendon_add_solver_plugin(${ARG_NAME}): unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
    endif()
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core)
    cmake_path(ABSOLUTE_PATH ARG_HEADER NORMALIZE OUTPUT_VARIABLE solver_header)
    cmake_path(ABSOLUTE_PATH ARG_METADATA NORMALIZE OUTPUT_VARIABLE solver_metadata)
    foreach(file "${solver_header}" "${solver_metadata}")
        if(NOT EXISTS "${file}")
            message(FATAL_ERROR "tendon_add_solver_plugin(${ARG_NAME}): there is no ${file}")
        endif()
    endforeach()

    # A description that cannot be read would only show when the plugin is looked for: say so now.
    file(READ "${solver_metadata}" description)
    foreach(member id alias sdk)
        string(JSON value ERROR_VARIABLE failure GET "${description}" ${member})
        if(failure)
            message(FATAL_ERROR "tendon_add_solver_plugin(${ARG_NAME}): ${solver_metadata}: ${failure}")
        endif()
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${solver_metadata}")

    string(MAKE_C_IDENTIFIER "${ARG_NAME}" identifier)
    set(target tendon_plugin_${identifier})
    set(solver_class "${ARG_CLASS}")
    string(SHA256 solver_metadata_hash "${description}") # in the shell, so that moc runs again when the description changes
    set(shell_class "${identifier}_plugin")
    set(shell "${CMAKE_CURRENT_BINARY_DIR}/${shell_class}.cpp")
    configure_file("${TENDON_SOLVER_PLUGIN_SHELL}" "${shell}" @ONLY)

    add_library(${target} MODULE "${shell}" ${ARG_SOURCES})
    set_target_properties(${target} PROPERTIES
        AUTOMOC ON
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON
        PREFIX ""
        OUTPUT_NAME "tendon-${ARG_NAME}"
        LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/plugins")
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_link_libraries(${target} PRIVATE tendon::kit tendon::sdk Qt6::Core ${ARG_LIBRARIES})
    if(TARGET tendon_build)
        target_link_libraries(${target} PRIVATE tendon_build)
    endif()
    string(JSON alias GET "${description}" alias)
    set_property(GLOBAL APPEND PROPERTY TENDON_SHIPPED_SOLVERS ${alias})
    set_property(GLOBAL APPEND PROPERTY TENDON_SHIPPED_PLUGINS ${target})
    install(TARGETS ${target} LIBRARY DESTINATION lib/tendon/plugins COMPONENT plugins)
endfunction()
