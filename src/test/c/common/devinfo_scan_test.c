/* SPDX-License-Identifier: Apache-2.0 */
/* Scans simulated machines: directories with the layout of /sys. */
#include "cmocka_all.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <common/devinfo_scan.h>
#include <temporary.h>

#define FUNCTION "devices/pci0000:00/0000:00:02.0/0000:3b:00.1"

static char sysfs[PATH_MAX];

static int make_machine(void **state)
{
    (void)state;
    snprintf(sysfs, sizeof(sysfs), "%s/sysfs-XXXXXX", temporary_folder());
    return mkdtemp(sysfs) == NULL;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

static int remove_machine(void **state)
{
    (void)state;
    return nftw(sysfs, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void path_of(char *path, const char *relative)
{
    assert_true(snprintf(path, PATH_MAX, "%s/%s", sysfs, relative) < PATH_MAX);
}

static void make_folder(const char *relative)
{
    char path[PATH_MAX];
    char *slash;

    path_of(path, relative);
    for (slash = path + strlen(sysfs) + 1; (slash = strchr(slash, '/')) != NULL; ++slash) {
        *slash = '\0';
        assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
        *slash = '/';
    }
    assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
}

static void make_file(const char *folder, const char *name, const char *text)
{
    char relative[PATH_MAX], path[PATH_MAX];
    FILE *file;

    make_folder(folder);
    snprintf(relative, sizeof(relative), "%s/%s", folder, name);
    path_of(path, relative);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Creates the link `folder`/device to `target`, both in the simulated /sys. */
static void make_device_link(const char *folder, const char *target)
{
    char relative[PATH_MAX], path[PATH_MAX], to[PATH_MAX];

    make_folder(folder);
    make_folder(target);
    snprintf(relative, sizeof(relative), "%s/device", folder);
    path_of(path, relative);
    path_of(to, target);
    assert_int_equal(0, symlink(to, path));
}

static void make_interface(const char *name, const char *index, const char *pci_path)
{
    char folder[128];

    snprintf(folder, sizeof(folder), "class/net/%s", name);
    make_file(folder, "ifindex", index);
    make_file(folder, "address", "0a:1b:2c:3d:4e:5f\n");
    make_file(folder, "speed", "25000\n");
    if (pci_path != NULL)
        make_device_link(folder, pci_path);
}

static struct devinfo_table scan(void)
{
    struct devinfo_table table;

    assert_int_equal(DOCA_SUCCESS, devinfo_scan(sysfs, &table));
    assert_true(table.count >= 1);
    return table;
}

static void a_machine_without_interfaces_has_soft0(void **state)
{
    struct devinfo_table table = scan();

    (void)state;
    assert_int_equal(1, table.count);
    assert_string_equal("0000:00:00.0", table.devices[0].pci_address);
    assert_string_equal("soft0", table.devices[0].interface_name);
    assert_string_equal("soft0", table.devices[0].ibdev_name);
    free(table.devices);
}

static void an_interface_has_the_address_of_its_pci_function(void **state)
{
    static const uint8_t mac[] = { 0x0a, 0x1b, 0x2c, 0x3d, 0x4e, 0x5f };
    struct devinfo_table table;

    (void)state;
    make_interface("jurom-a", "7\n", FUNCTION);
    table = scan();

    assert_int_equal(2, table.count);
    assert_string_equal("0000:3b:00.1", table.devices[1].pci_address);
    assert_string_equal("jurom-a", table.devices[1].interface_name);
    assert_string_equal("jurom-a", table.devices[1].ibdev_name);
    assert_memory_equal(mac, table.devices[1].mac, sizeof(mac));
    assert_int_equal(25000000000, table.devices[1].active_rate);
    assert_int_equal(7, table.devices[1].vhca_id);
    assert_false(table.devices[1].has_ipv4);
    free(table.devices);
}

static void an_interface_of_a_device_below_a_pci_function_has_the_same_address(void **state)
{
    struct devinfo_table table;

    (void)state;
    make_interface("jurom-a", "7\n", FUNCTION "/virtio2");
    table = scan();

    assert_string_equal("0000:3b:00.1", table.devices[1].pci_address);
    free(table.devices);
}

static void an_interface_without_pci_function_has_an_address_derived_from_its_index(void **state)
{
    struct devinfo_table table;

    (void)state;
    make_interface("jurom-a", "1\n", NULL);
    make_interface("jurom-b", "4660\n", "devices/platform/virtio2"); /* 0x1234 */
    table = scan();

    assert_int_equal(3, table.count);
    assert_string_equal("ffff:00:00.1", table.devices[1].pci_address);
    assert_string_equal("ffff:12:06.4", table.devices[2].pci_address);
    free(table.devices);
}

static void the_second_interface_of_a_function_has_a_separate_address(void **state)
{
    struct devinfo_table table;

    (void)state;
    make_interface("jurom-a", "2\n", FUNCTION);
    make_interface("jurom-b", "3\n", FUNCTION);
    table = scan();

    assert_int_equal(3, table.count);
    assert_string_equal("0000:3b:00.1", table.devices[1].pci_address);
    assert_string_equal("ffff:00:00.3", table.devices[2].pci_address);
    free(table.devices);
}

static void an_interface_with_a_duplicate_address_is_omitted(void **state)
{
    struct devinfo_table table;

    (void)state;
    make_interface("jurom-a", "1\n", NULL);
    make_interface("jurom-b", "65537\n", NULL); /* the same lower 16 bits */
    table = scan();

    assert_int_equal(2, table.count);
    assert_string_equal("jurom-a", table.devices[1].interface_name);
    free(table.devices);
}

static void entries_that_are_not_interfaces_are_omitted(void **state)
{
    struct devinfo_table table;

    (void)state;
    make_file("class/net", "bonding_masters", "\n");
    make_folder("class/net/half");
    table = scan();

    assert_int_equal(1, table.count);
    free(table.devices);
}

static void infiniband_devices_replace_interfaces_in_the_list(void **state)
{
    struct devinfo_table table;

    (void)state;
    make_interface("jurom-a", "7\n", NULL);
    make_interface("ib0", "8\n", FUNCTION);
    make_device_link("class/infiniband/mlx5_0", FUNCTION);
    make_folder(FUNCTION "/net/ib0");
    make_file("class/infiniband/mlx5_0/ports/1", "lid", "0x1f\n");
    make_file("class/infiniband/mlx5_0/ports/1", "rate", "2.5 Gb/sec (1X SDR)\n");
    make_device_link("class/infiniband/mlx5_1", "devices/pci0000:00/0000:3b:00.2");
    table = scan();

    assert_int_equal(3, table.count);
    assert_string_equal("mlx5_0", table.devices[1].ibdev_name);
    assert_string_equal("ib0", table.devices[1].interface_name);
    assert_string_equal("0000:3b:00.1", table.devices[1].pci_address);
    assert_int_equal(0x1f, table.devices[1].lid);
    assert_int_equal(2500000000, table.devices[1].active_rate);
    assert_string_equal("mlx5_1", table.devices[2].ibdev_name);
    assert_string_equal("", table.devices[2].interface_name);
    assert_string_equal("0000:3b:00.2", table.devices[2].pci_address);
    assert_int_equal(0, table.devices[2].active_rate);
    free(table.devices);
}

#define MACHINE(test) cmocka_unit_test_setup_teardown(test, make_machine, remove_machine)

int main(void)
{
    const struct CMUnitTest tests[] = {
        MACHINE(a_machine_without_interfaces_has_soft0),
        MACHINE(an_interface_has_the_address_of_its_pci_function),
        MACHINE(an_interface_of_a_device_below_a_pci_function_has_the_same_address),
        MACHINE(an_interface_without_pci_function_has_an_address_derived_from_its_index),
        MACHINE(the_second_interface_of_a_function_has_a_separate_address),
        MACHINE(an_interface_with_a_duplicate_address_is_omitted),
        MACHINE(entries_that_are_not_interfaces_are_omitted),
        MACHINE(infiniband_devices_replace_interfaces_in_the_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
