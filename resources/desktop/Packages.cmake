# Debian packages, by `cpack --config build/release/CPackConfig.cmake` or `./tests/run --packages`:
#   tendon                the command line and the solvers
#   tendon-editor         the window
#   tendon-solver-ceres   the solver on Ceres, whose binary falls under the GPL
#   tendon-sdk-dev        what solvers are written with
set(packages cli=tendon editor=tendon-editor sdk=tendon-sdk-dev)
if(TENDON_HAS_CERES)
    list(APPEND packages ceres=tendon-solver-ceres)
endif()

string(TIMESTAMP day "%a, %d %b %Y 00:00:00 +0000" UTC)
find_program(TENDON_GZIP gzip)
set(components)
foreach(package ${packages})
    string(REPLACE "=" ";" parts ${package})
    list(GET parts 0 component)
    list(GET parts 1 name)
    list(APPEND components ${component})
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${upper}_FILE_NAME DEB-DEFAULT)
    set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ON)

    set(documents ${CMAKE_CURRENT_BINARY_DIR}/${name})
    configure_file(copyright.in ${documents}/copyright @ONLY)
    if(component STREQUAL ceres)
        file(APPEND ${documents}/copyright "\n")
        file(READ copyright.ceres note)
        file(APPEND ${documents}/copyright "${note}")
    endif()
    configure_file(changelog.in ${documents}/changelog @ONLY)
    if(TENDON_GZIP)
        execute_process(COMMAND ${TENDON_GZIP} -9nf ${documents}/changelog)
        install(FILES ${documents}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
    endif()
    install(FILES ${documents}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL ${components} plugins)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_CONTACT "The Tendon authors <authors@tendon.invalid>")
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_SDK_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_THREADS 0)

set(same "(= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_EDITOR_PACKAGE_DEPENDS "tendon ${same}, libgl1-mesa-dri | libgl1-nvidia-glx, qt6-qpa-plugins")
set(CPACK_DEBIAN_CLI_PACKAGE_SUGGESTS "tendon-editor, tendon-solver-ceres, xvfb")
set(CPACK_DEBIAN_CERES_PACKAGE_DEPENDS "tendon ${same}")
set(CPACK_DEBIAN_SDK_PACKAGE_DEPENDS "libeigen3-dev (>= 3.4), qt6-base-dev, cmake")
set(CPACK_DEBIAN_SDK_PACKAGE_RECOMMENDS tendon)
set(CPACK_DEBIAN_CLI_DESCRIPTION "rigs with inverse kinematics on the command line
Imports models, edits rigs by scripts of operations, solves handles with
inverse kinematics, and bakes the animation to glTF, FBX or BVH. Each written
file is read back and compared.")
set(CPACK_DEBIAN_EDITOR_DESCRIPTION "editor for rigs with inverse kinematics
Put handles on a character, a robot or anything with joints, pose and key it
with them, and export the animation as a glTF or FBX file that plays the
same everywhere.")
set(CPACK_DEBIAN_CERES_DESCRIPTION "Ceres solver for the rigs of Tendon
Least squares by Ceres Solver as a plugin of Tendon. Debian's Ceres links
parts of SuiteSparse that are under the GPL, so this package falls under the
GPL as a whole.")
set(CPACK_DEBIAN_SDK_DESCRIPTION "headers and CMake package for solver plugins of Tendon
The contract between Tendon and solvers, helpers on Eigen, and a CMake
function that makes a plugin of one class.")
include(CPack)
foreach(component ${components})
    cpack_add_component_group(${component})
    cpack_add_component(${component} GROUP ${component})
endforeach()
cpack_add_component(plugins GROUP cli)
