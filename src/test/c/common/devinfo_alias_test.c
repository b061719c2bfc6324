/* SPDX-License-Identifier: Apache-2.0 */
/* JUROM_DEVICE_ALIASES, through the functions with which programs find their device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_dev.h>
#include <testing/assertions.h>
#include <testing/logged.h>

static int set_up(void **state)
{
    (void)state;
    log_keep();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return unsetenv("JUROM_DEVICE_ALIASES");
}

static struct doca_devinfo **list_with(const char *aliases, uint32_t *count)
{
    struct doca_devinfo **devices;

    assert_int_equal(0, setenv("JUROM_DEVICE_ALIASES", aliases, 1));
    assert_success(doca_devinfo_create_list(&devices, count));
    return devices;
}

/* Finds the first device with that name, as the samples do. */
static struct doca_devinfo *named(struct doca_devinfo **devices, const char *name)
{
    char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE], interface[DOCA_DEVINFO_IFACE_NAME_SIZE];

    for (; *devices != NULL; ++devices) {
        assert_success(doca_devinfo_get_ibdev_name(*devices, ibdev, sizeof(ibdev)));
        if (strcmp(ibdev, name) == 0) {
            assert_success(doca_devinfo_get_iface_name(*devices, interface, sizeof(interface)));
            assert_string_equal(name, interface);
            return *devices;
        }
    }
    return NULL;
}

static struct doca_devinfo *at(struct doca_devinfo **devices, const char *address)
{
    uint8_t is_equal = 0;

    for (; *devices != NULL; ++devices) {
        assert_success(doca_devinfo_is_equal_pci_addr(*devices, address, &is_equal));
        if (is_equal)
            return *devices;
    }
    return NULL;
}

static void assert_address(const char *expected, struct doca_devinfo *device)
{
    char address[DOCA_DEVINFO_PCI_ADDR_SIZE];

    assert_non_null(device);
    assert_success(doca_devinfo_get_pci_addr_str(device, address));
    assert_string_equal(expected, address);
}

static void an_alias_is_another_name_of_the_same_device(void **state)
{
    struct doca_devinfo **devices;
    struct doca_dev *soft0, *alias;
    uint32_t plain, count;

    (void)state;
    assert_success(doca_devinfo_destroy_list(list_with("", &plain)));
    devices = list_with("mlx5_0=soft0,mlx5_1=mlx5_0,", &count);
    assert_int_equal(plain + 2, count);
    assert_address("0000:00:00.0", named(devices, "mlx5_0"));
    assert_address("0000:00:00.0", named(devices, "mlx5_1"));
    assert_ptr_equal(devices[0], named(devices, "soft0"));

    assert_success(doca_dev_open(devices[0], &soft0));
    assert_success(doca_dev_open(named(devices, "mlx5_1"), &alias));
    assert_ptr_equal(soft0, alias);
    assert_success(doca_dev_close(alias));
    assert_success(doca_dev_close(soft0));
    assert_success(doca_devinfo_destroy_list(devices));
}

static void an_address_matches_in_its_short_form_and_in_any_case(void **state)
{
    struct doca_devinfo **devices;
    uint32_t count;

    (void)state;
    devices = list_with("3B:00.1=soft0,0001:03:00.0=0000:00:00.0,mlx5_0=3b:00.1", &count);
    assert_address("0000:3b:00.1", at(devices, "3b:00.1"));
    assert_address("0000:3b:00.1", at(devices, "0000:3B:00.1"));
    assert_address("0001:03:00.0", at(devices, "0001:03:00.0"));
    assert_address("0000:3b:00.1", named(devices, "mlx5_0"));
    assert_null(at(devices, "0000:99:00.0"));
    assert_success(doca_devinfo_destroy_list(devices));
}

static void an_invalid_entry_is_an_error_that_names_it(void **state)
{
    static const char *const wrong[] = {
        "=",
        ",",
        "mlx5_0",
        "mlx5_0=",
        "=soft0",
        "a=b=c",
        "mlx5_0=nothing",
        "soft0=soft0",
        "0:0.0=soft0,0:0.0=soft0",
        "00:00.0=soft0",
        "a=soft0,,b=soft0",
        "a b=soft0",
        "a=soft0 ",
        "a=soft0\n",
        "\x1b[2J=soft0",
        "\xff=soft0",
        "a=%s%n",
        "a=../../etc/passwd",
        "mlx5_0=soft0,mlx5_0=soft0",
        "a=b,b=soft0",
    };
    struct doca_devinfo **devices = NULL;
    uint32_t count;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i) {
        assert_int_equal(0, setenv("JUROM_DEVICE_ALIASES", wrong[i], 1));
        log_keep();
        assert_status(DOCA_ERROR_BAD_CONFIG, doca_devinfo_create_list(&devices, &count));
        assert_logged("of JUROM_DEVICE_ALIASES cannot be used: ");
        assert_false(log_has("\x1b") || log_has("\xff"));
    }
    assert_null(devices);
}

static void the_length_and_the_number_of_names_are_limited(void **state)
{
    char value[8192] = "";
    struct doca_devinfo **devices;
    uint32_t count;

    (void)state;
    for (int i = 0; i < 64; ++i)
        snprintf(value + strlen(value), 32, "a%d=soft0,", i);
    devices = list_with(value, &count);
    assert_non_null(named(devices, "a63"));
    assert_success(doca_devinfo_destroy_list(devices));
    strcat(value, "b=soft0");
    assert_int_equal(0, setenv("JUROM_DEVICE_ALIASES", value, 1));
    assert_status(DOCA_ERROR_BAD_CONFIG, doca_devinfo_create_list(&devices, &count));
    assert_logged("limit");

    memset(value, 'x', 64);
    strcpy(value + 64, "=soft0");
    assert_int_equal(0, setenv("JUROM_DEVICE_ALIASES", value, 1));
    assert_status(DOCA_ERROR_BAD_CONFIG, doca_devinfo_create_list(&devices, &count));
    devices = list_with(value + 1, &count);
    assert_non_null(devices[count - 1]);
    assert_success(doca_devinfo_destroy_list(devices));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(an_alias_is_another_name_of_the_same_device),
        TEST(an_address_matches_in_its_short_form_and_in_any_case),
        TEST(an_invalid_entry_is_an_error_that_names_it),
        TEST(the_length_and_the_number_of_names_are_limited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
