/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host can open a device by an alias, and finds the service by the file that the service has
 * written, if both have the same JUROM_DEVICE_ALIASES.
 */
#include <stdlib.h>
#include <string.h>

#include <testing/contexts.h>
#include <testing/daemon.h>

static int start(void **state)
{
    (void)state;
    assert_int_equal(0, setenv("JUROM_DEVICE_ALIASES", "03:00.0=soft0,mlx5_0=03:00.0", 1));
    daemon_start(&the_daemon, NULL);
    return 0;
}

/* Opens a device as DOCA samples do. */
static struct doca_dev *open_by_name(const char *wanted)
{
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    struct doca_devinfo **devices;
    struct doca_dev *dev = NULL;
    uint32_t count;

    assert_success(doca_devinfo_create_list(&devices, &count));
    for (uint32_t i = 0; i < count && dev == NULL; ++i) {
        assert_success(doca_devinfo_get_ibdev_name(devices[i], name, sizeof(name)));
        if (strcmp(name, wanted) == 0)
            assert_success(doca_dev_open(devices[i], &dev));
    }
    assert_success(doca_devinfo_destroy_list(devices));
    assert_non_null(dev);
    return dev;
}

static void a_device_is_served_by_all_its_names(void **state)
{
    static const char *const names[] = { "mlx5_0", "soft0" };

    (void)state;
    for (unsigned i = 0; i < 2; ++i) {
        struct test_service service;
        struct doca_dev *soft0;

        service_new(&service);
        soft0 = service.dev;
        service.dev = open_by_name(names[i]);
        assert_success(doca_urom_service_set_dev(service.service, service.dev));
        assert_success(doca_dev_close(soft0));
        assert_success(doca_ctx_start(service.ctx));
        plugin_id(&service, "worker_puppet");
        service_close(&service);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_is_served_by_all_its_names),
    };

    return cmocka_run_group_tests(tests, start, daemon_tear_down);
}
