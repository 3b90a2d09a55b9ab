# tendon_add_solver_plugin(NAME <name> METADATA <solver.json> CLASS <class> HEADER <file>
#                          [PRESET <preset.json>] [SOURCES file...] [LIBRARIES target...] [COMPONENT <name>])
# tendon_add_solver_plugin(NAME <name> METADATA <solver.json> FACTORY <function> ...)
#
# Makes a solver plugin: the module library tendon-<name> in ${CMAKE_BINARY_DIR}/bin/plugins, installed to
# lib/tendon/plugins. The object that Qt loads is generated; an author writes only the solver.
#
#   NAME       letters, digits, - and _; the target is tendon_plugin_<name>, with _ for -
#   METADATA   the solver's description; solver.schema.json (installed to share/tendon/schemas) says what it
#              holds. Its member sdk is the version of the SDK that the plugin is built with
#   PRESET     makes another named solver of the same class: a JSON file with the members of METADATA that differ. It must
#              have an id, alias, name and summary of its own. Its member `defaults` holds new defaults of parameters by
#              id. Tendon sets every parameter to its default when it creates a solver, so a preset needs no code
#   CLASS      the solver: derived from tendon::sdk::Solver, with a constructor without parameters
#   HEADER     declares CLASS
#   FACTORY    instead of both, for a solver that is compiled elsewhere: the qualified name of a function in SOURCES or
#              LIBRARIES that returns a new solver as std::unique_ptr<tendon::sdk::Solver>
#   SOURCES    further files to compile into the plugin
#   LIBRARIES  libraries to link with, besides the SDK and (with CLASS) the kit
#   COMPONENT  the component of the installation that the plugin belongs to; `plugins` if it is left out
#
# Works the same within Tendon and, through find_package(TendonSdk), outside it.

set(TENDON_SOLVER_PLUGIN_TEMPLATES "${CMAKE_CURRENT_LIST_DIR}")

# Sets `result` to the JSON text of a member; string(JSON GET) unquotes strings and renames true and false.
function(tendon_json_text result json)
    string(JSON text GET "${json}" ${ARGN})
    string(JSON type TYPE "${json}" ${ARGN})
    if(type STREQUAL "STRING")
        string(REGEX REPLACE "([\\\"])" "\\\\\\1" text "${text}")
        string(REPLACE "\n" "\\n" text "${text}")
        set(text "\"${text}\"")
    elseif(type STREQUAL "BOOLEAN")
        if(text)
            set(text true)
        else()
            set(text false)
        endif()
    endif()
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Sets `result` to `description` (JSON) with the changes of the file `preset`.
function(tendon_apply_preset result description preset)
    file(READ "${preset}" changes)
    foreach(member id alias name summary)
        string(JSON value ERROR_VARIABLE failure GET "${changes}" ${member})
        if(failure)
            message(FATAL_ERROR "${preset}: ${failure}; a preset needs its own ${member}")
        endif()
    endforeach()
    string(JSON last LENGTH "${changes}")
    math(EXPR last "${last} - 1")
    foreach(index RANGE ${last})
        string(JSON member MEMBER "${changes}" ${index})
        if(NOT member STREQUAL "defaults")
            tendon_json_text(value "${changes}" ${member})
            string(JSON description SET "${description}" ${member} "${value}")
        endif()
    endforeach()

    string(JSON count ERROR_VARIABLE ignored LENGTH "${changes}" defaults)
    string(JSON parameters LENGTH "${description}" parameters)
    if(count AND parameters)
        math(EXPR last "${count} - 1")
        math(EXPR last_parameter "${parameters} - 1")
        foreach(index RANGE ${last})
            string(JSON id MEMBER "${changes}" defaults ${index})
            tendon_json_text(value "${changes}" defaults ${id})
            set(is_known FALSE)
            foreach(parameter RANGE ${last_parameter})
                string(JSON known GET "${description}" parameters ${parameter} id)
                if(known STREQUAL id)
                    set(is_known TRUE)
                    string(JSON description SET "${description}" parameters ${parameter} default "${value}")
                endif()
            endforeach()
            if(NOT is_known)
                message(FATAL_ERROR "${preset}: /defaults/${id}: the solver has no such parameter")
            endif()
        endforeach()
    endif()
    set(${result} "${description}" PARENT_SCOPE)
endfunction()

function(tendon_add_solver_plugin)
    cmake_parse_arguments(PARSE_ARGV 0 ARG "" "NAME;METADATA;PRESET;CLASS;HEADER;FACTORY;COMPONENT" "SOURCES;LIBRARIES")
    if(NOT ARG_COMPONENT)
        set(ARG_COMPONENT plugins)
    endif()
    set(required_arguments NAME METADATA)
    if(NOT ARG_FACTORY)
        list(APPEND required_arguments CLASS HEADER)
    endif()
    foreach(required ${required_arguments})
        if(NOT ARG_${required})
            message(FATAL_ERROR "tendon_add_solver_plugin: ${required} is missing")
        endif()
    endforeach()
    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "tendon_add_solver_plugin(${ARG_NAME}): unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
    endif()
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core)
    cmake_path(ABSOLUTE_PATH ARG_METADATA NORMALIZE OUTPUT_VARIABLE solver_metadata)
    if(ARG_HEADER)
        cmake_path(ABSOLUTE_PATH ARG_HEADER NORMALIZE OUTPUT_VARIABLE solver_header)
    endif()
    if(ARG_PRESET)
        cmake_path(ABSOLUTE_PATH ARG_PRESET NORMALIZE OUTPUT_VARIABLE solver_preset)
    endif()
    foreach(file ${solver_metadata} ${solver_preset} ${solver_header})
        if(NOT EXISTS "${file}")
            message(FATAL_ERROR "tendon_add_solver_plugin(${ARG_NAME}): no such file: ${file}")
        endif()
    endforeach()

    # Report a description that cannot be read now, not when somebody looks for the plugin.
    string(MAKE_C_IDENTIFIER "${ARG_NAME}" identifier)
    file(READ "${solver_metadata}" description)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${solver_metadata}" ${solver_preset})
    if(ARG_PRESET)
        tendon_apply_preset(description "${description}" "${solver_preset}")
        set(solver_metadata "${CMAKE_CURRENT_BINARY_DIR}/${identifier}_solver.json")
        file(WRITE "${solver_metadata}.new" "${description}")
        file(COPY_FILE "${solver_metadata}.new" "${solver_metadata}" ONLY_IF_DIFFERENT)
    endif()
    foreach(member id alias sdk)
        string(JSON value ERROR_VARIABLE failure GET "${description}" ${member})
        if(failure)
            message(FATAL_ERROR "tendon_add_solver_plugin(${ARG_NAME}): ${solver_metadata}: ${failure}")
        endif()
    endforeach()

    # The structs that the plugin is compiled with are those of this SDK; a host with an older one has less room for them.
    get_target_property(sdk_version tendon::sdk TENDON_SDK_VERSION)
    string(JSON sdk GET "${description}" sdk)
    string(REGEX REPLACE "[ \t\r\n]" "" sdk "${sdk}")
    string(REPLACE "." "," expected "[${sdk_version}]")
    if(NOT sdk STREQUAL expected)
        message(FATAL_ERROR "tendon_add_solver_plugin(${ARG_NAME}): ${solver_metadata}: /sdk: is ${sdk}, but this is solver SDK ${sdk_version}; write ${expected}, or build with the SDK that is meant")
    endif()

    set(target tendon_plugin_${identifier})
    string(SHA256 solver_metadata_hash "${description}") # in the shell, so that moc runs again when the description changes
    set(shell_class "${identifier}_plugin")
    set(shell "${CMAKE_CURRENT_BINARY_DIR}/${shell_class}.cpp")
    # The shell declares the factory by its name: "a::b::make" becomes "namespace a::b { ... make(); }".
    set(sources "${shell}" ${ARG_SOURCES})
    set(factory "${ARG_FACTORY}")
    if(NOT factory)
        set(factory "make_${shell_class}_solver")
        set(solver_class "${ARG_CLASS}")
        configure_file("${TENDON_SOLVER_PLUGIN_TEMPLATES}/SolverFactory.cpp.in" "${identifier}_factory.cpp" @ONLY)
        list(APPEND sources "${CMAKE_CURRENT_BINARY_DIR}/${identifier}_factory.cpp")
    endif()
    set(factory_declaration "std::unique_ptr<tendon::sdk::Solver> ${factory}();")
    if(factory MATCHES "^(.+)::([^:]+)$")
        set(factory_declaration "namespace ${CMAKE_MATCH_1} { std::unique_ptr<tendon::sdk::Solver> ${CMAKE_MATCH_2}(); }")
    endif()
    configure_file("${TENDON_SOLVER_PLUGIN_TEMPLATES}/SolverPluginShell.cpp.in" "${shell}" @ONLY)

    add_library(${target} MODULE ${sources})
    set_target_properties(${target} PROPERTIES
        AUTOMOC ON
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON
        PREFIX ""
        OUTPUT_NAME "tendon-${ARG_NAME}"
        LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/plugins")
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_link_libraries(${target} PRIVATE tendon::sdk Qt6::Core ${ARG_LIBRARIES})
    if(ARG_CLASS)
        target_link_libraries(${target} PRIVATE tendon::kit)
    endif()
    if(TARGET tendon_build)
        target_link_libraries(${target} PRIVATE tendon_build)
    endif()
    string(JSON alias GET "${description}" alias)
    set_property(GLOBAL APPEND PROPERTY TENDON_SHIPPED_SOLVERS ${alias})
    set_property(GLOBAL APPEND PROPERTY TENDON_SHIPPED_PLUGINS ${target})
    set_property(GLOBAL APPEND PROPERTY TENDON_SHIPPED_DESCRIPTIONS ${solver_metadata})
    install(TARGETS ${target} LIBRARY DESTINATION lib/tendon/plugins COMPONENT ${ARG_COMPONENT})
endfunction()
