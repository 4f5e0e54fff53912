# What the Debian package has, and where (./dev package). The files that are made for it,
# compressed as Debian wants them, come from cmake/package.sh.
include(GNUInstallDirs)
set(made ${PROJECT_BINARY_DIR}/package)
set(documents share/doc/writ)
# cpack is asked once the program is built.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
install(TARGETS writ RUNTIME DESTINATION bin)
install(FILES config/writ.service DESTINATION lib/systemd/system)
install(FILES config/nginx.conf config/alerts.yml config/grafana.json config/slack-manifest.json
        DESTINATION ${documents}/examples)
install(DIRECTORY config/examples/ DESTINATION ${documents}/examples)
install(FILES config/writ.schema.json DESTINATION share/writ)
install(FILES ${made}/changelog.gz ${made}/changelog.Debian.gz ${made}/sbom.cdx.json
              cmake/package/copyright cmake/package/README.Debian DESTINATION ${documents})
install(FILES ${made}/writ.1.gz DESTINATION share/man/man1)
install(FILES cmake/package/writ.bash DESTINATION share/bash-completion/completions RENAME writ)
install(FILES cmake/package/_writ DESTINATION share/zsh/vendor-completions)
install(FILES cmake/package/writ.fish DESTINATION share/fish/vendor_completions.d)
install(FILES cmake/package/environment DESTINATION /etc/writ PERMISSIONS OWNER_READ OWNER_WRITE)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME writ)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "Writ maintainers <maintainers@users.noreply.a-seed-0725afed.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
set(CPACK_STRIP_FILES ON)
# 755, whatever the builder's umask is.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "passwd, ca-certificates, tzdata")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "chat agents that ask before they act
Writ answers messages in team chat channels with a language model, and never
runs a sensitive call without the consent of the person it acts for. What
waits for somebody's answer is a row in its store, SQLite or PostgreSQL, and
survives restarts and crashes.")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/cmake/package/postinst ${PROJECT_SOURCE_DIR}/cmake/package/prerm
    ${PROJECT_SOURCE_DIR}/cmake/package/postrm ${PROJECT_SOURCE_DIR}/cmake/package/conffiles)
include(CPack)
