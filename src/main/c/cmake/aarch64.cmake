# SPDX-License-Identifier: Apache-2.0
# Cross build for aarch64 with Debian's compiler, and with the libraries of the root in JUROM_SYSROOT, which
# src/main/c/cmake/aarch64 creates.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)

if(NOT JUROM_SYSROOT)
    set(JUROM_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../../../../target/aarch64/root")
endif()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JUROM_SYSROOT)
get_filename_component(CMAKE_SYSROOT "${JUROM_SYSROOT}" ABSOLUTE)
set(CMAKE_C_FLAGS_INIT "-ffile-prefix-map=${CMAKE_SYSROOT}/=/") # the same files from any folder
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR}
    "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")

# Programs of tests start others with a given environment, so they contain the paths of the root.
if(JUROM_TESTS)
    set(paths "-Wl,--disable-new-dtags,-rpath,${CMAKE_SYSROOT}/lib/aarch64-linux-gnu")
    string(APPEND paths ",-rpath,${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu")
    set(CMAKE_SHARED_LINKER_FLAGS_INIT "${paths}")
    set(CMAKE_MODULE_LINKER_FLAGS_INIT "${paths}")
    set(CMAKE_EXE_LINKER_FLAGS_INIT
        "${paths},--dynamic-linker=${CMAKE_SYSROOT}/lib/ld-linux-aarch64.so.1")
endif()
