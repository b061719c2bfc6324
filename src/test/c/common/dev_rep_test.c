/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <doca_dev.h>

/* A pointer that is not a representor: there are none. */
#define SOME_REPRESENTOR ((void *)&devices)

static struct doca_devinfo **devices;
static uint32_t count;

static int list_devices(void **state)
{
    (void)state;
    return doca_devinfo_create_list(&devices, &count);
}

static int free_devices(void **state)
{
    (void)state;
    return doca_devinfo_destroy_list(devices);
}

static void the_list_of_representors_is_empty(void **state)
{
    static const int filters[] = {
        DOCA_DEVINFO_REP_FILTER_ALL,
        DOCA_DEVINFO_REP_FILTER_NET,
        DOCA_DEVINFO_REP_FILTER_EMULATED,
    };
    struct doca_devinfo_rep **list;
    struct doca_dev *dev;
    uint32_t length;
    size_t i;

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_dev_open(devices[0], &dev));
    for (i = 0; i < sizeof(filters) / sizeof(filters[0]); ++i) {
        length = 1;
        assert_int_equal(
                DOCA_SUCCESS, doca_devinfo_rep_create_list(dev, filters[i], &list, &length));
        assert_int_equal(0, length);
        assert_null(list[0]);
        assert_int_equal(DOCA_SUCCESS, doca_devinfo_rep_destroy_list(list));
    }
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_create_list(dev, 1, &list, &length));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_create_list(NULL, 0, &list, &length));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_create_list(dev, 0, NULL, &length));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_destroy_list(NULL));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_dev_accelerate_resource_reclaim(dev));
    assert_int_equal(DOCA_SUCCESS, doca_dev_close(dev));
}

static void representors_are_not_supported(void **state)
{
    enum doca_pci_func_type type;
    struct doca_dev_rep *rep;
    uint16_t vhca_id;
    char text[256];
    uint8_t byte;

    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_dev_rep_open(SOME_REPRESENTOR, &rep));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dev_rep_open(NULL, &rep));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dev_rep_open(SOME_REPRESENTOR, NULL));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_dev_rep_close(SOME_REPRESENTOR));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dev_rep_close(NULL));
    assert_null(doca_dev_rep_as_devinfo(SOME_REPRESENTOR));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED,
            doca_devinfo_rep_get_vuid(SOME_REPRESENTOR, text, sizeof(text)));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_devinfo_rep_get_pci_addr_str(SOME_REPRESENTOR, text));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_devinfo_rep_get_pci_func_type(SOME_REPRESENTOR, &type));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_devinfo_rep_get_is_hotplug(SOME_REPRESENTOR, &byte));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED,
            doca_devinfo_rep_get_iface_name(SOME_REPRESENTOR, text, sizeof(text)));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_devinfo_rep_get_vhca_id(SOME_REPRESENTOR, &vhca_id));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED,
            doca_devinfo_rep_is_equal_pci_addr(SOME_REPRESENTOR, "0000:00:00.0", &byte));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_devinfo_rep_is_equal_pci_addr(NULL, "0000:00:00.0", &byte));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_of_representors_is_empty),
        cmocka_unit_test(representors_are_not_supported),
    };

    return cmocka_run_group_tests(tests, list_devices, free_devices);
}
