# Installs the SDK: headers, the package TendonSdk and the plugin function. Included by solvers/CMakeLists.txt.
include(CMakePackageConfigHelpers)

# The version of the contract is written once, in its header.
file(READ "${CMAKE_CURRENT_SOURCE_DIR}/sdk/include/tendon/sdk/Version.h" version_header)
string(REGEX MATCH "kSdkMajor = ([0-9]+)" ignored "${version_header}")
set(TENDON_SDK_VERSION "${CMAKE_MATCH_1}")
string(REGEX MATCH "kSdkMinor = ([0-9]+)" ignored "${version_header}")
string(APPEND TENDON_SDK_VERSION ".${CMAKE_MATCH_1}")

set_target_properties(tendon_sdk PROPERTIES TENDON_SDK_VERSION "${TENDON_SDK_VERSION}"
    EXPORT_PROPERTIES TENDON_SDK_VERSION) # tendon_add_solver_plugin() reads it

set(package_folder "lib/cmake/TendonSdk")
set_target_properties(tendon_sdk PROPERTIES EXPORT_NAME sdk)
set_target_properties(tendon_kit PROPERTIES EXPORT_NAME kit)
install(TARGETS tendon_sdk tendon_kit EXPORT TendonSdkTargets COMPONENT sdk)
install(DIRECTORY sdk/include/tendon kit/include/tendon DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT sdk
    FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/resources/schemas/solver.schema.json"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/tendon/schemas" COMPONENT sdk)
install(EXPORT TendonSdkTargets NAMESPACE tendon:: DESTINATION "${package_folder}" COMPONENT sdk)
configure_package_config_file(cmake/TendonSdkConfig.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/TendonSdkConfig.cmake"
    INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/TendonSdkConfigVersion.cmake"
    VERSION "${TENDON_SDK_VERSION}" COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES cmake/TendonSolverPlugin.cmake cmake/SolverPluginShell.cpp.in cmake/SolverFactory.cpp.in
    "${CMAKE_CURRENT_BINARY_DIR}/TendonSdkConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/TendonSdkConfigVersion.cmake"
    DESTINATION "${package_folder}" COMPONENT sdk)
