/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include <doca_dev.h>

#include <common/dev.h>

#define THREADS 4
#define ROUNDS 200

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

static void the_first_device_is_soft0_with_all_properties(void **state)
{
    static const uint8_t localhost[] = { 127, 0, 0, 1 };
    char pci[DOCA_DEVINFO_PCI_ADDR_SIZE], interface[DOCA_DEVINFO_IFACE_NAME_SIZE];
    char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    uint8_t ipv4[4], ipv6[16], mac[6];
    uint16_t lid, vhca_id;
    uint64_t rate;

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_pci_addr_str(devices[0], pci));
    assert_string_equal("0000:00:00.0", pci);
    assert_int_equal(
            DOCA_SUCCESS, doca_devinfo_get_iface_name(devices[0], interface, sizeof(interface)));
    assert_string_equal("soft0", interface);
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_ibdev_name(devices[0], ibdev, sizeof(ibdev)));
    assert_string_equal("soft0", ibdev);
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_ipv4_addr(devices[0], ipv4, sizeof(ipv4)));
    assert_memory_equal(localhost, ipv4, sizeof(ipv4));
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_ipv6_addr(devices[0], ipv6, sizeof(ipv6)));
    assert_memory_equal(&in6addr_loopback, ipv6, sizeof(ipv6));
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_mac_addr(devices[0], mac, sizeof(mac)));
    assert_int_equal(2, mac[0]);
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_lid(devices[0], &lid));
    assert_int_equal(0, lid);
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_vhca_id(devices[0], &vhca_id));
    assert_int_equal(0, vhca_id);
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_active_rate(devices[0], &rate));
    assert_int_equal(0, rate);
}

static void the_list_is_terminated_by_null_after_its_last_element(void **state)
{
    (void)state;
    assert_true(count >= 1);
    assert_null(devices[count]);
}

static void pci_addresses_are_unique(void **state)
{
    char own[DOCA_DEVINFO_PCI_ADDR_SIZE];
    uint8_t equal;
    uint32_t i, j;

    (void)state;
    for (i = 0; i < count; ++i)
        for (j = 0; j < count; ++j) {
            assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_pci_addr_str(devices[i], own));
            assert_int_equal(DOCA_SUCCESS, doca_devinfo_is_equal_pci_addr(devices[j], own, &equal));
            assert_int_equal(i == j, equal);
        }
}

/* Returns the device of the network interface, or NULL. */
static const struct doca_devinfo *find_interface(const char *name)
{
    char interface[DOCA_DEVINFO_IFACE_NAME_SIZE];
    uint32_t i;

    for (i = 0; i < count; ++i)
        if (doca_devinfo_get_iface_name(devices[i], interface, sizeof(interface)) == DOCA_SUCCESS
                && strcmp(interface, name) == 0)
            return devices[i];
    return NULL;
}

/* Returns whether the device reports this address for its family. */
static bool has_address(const struct doca_devinfo *device, const struct sockaddr *address)
{
    uint8_t ipv4[DOCA_DEVINFO_IPV4_ADDR_SIZE], ipv6[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    struct sockaddr_in6 expected6;
    struct sockaddr_in expected4;

    if (address->sa_family == AF_INET) {
        memcpy(&expected4, address, sizeof(expected4));
        assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_ipv4_addr(device, ipv4, sizeof(ipv4)));
        return memcmp(&expected4.sin_addr, ipv4, sizeof(ipv4)) == 0;
    }
    memcpy(&expected6, address, sizeof(expected6));
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_ipv6_addr(device, ipv6, sizeof(ipv6)));
    return memcmp(&expected6.sin6_addr, ipv6, sizeof(ipv6)) == 0;
}

static bool is_internet(const struct sockaddr *address)
{
    return address != NULL && (address->sa_family == AF_INET || address->sa_family == AF_INET6);
}

/* Returns whether the device reports an address of the interface for that family. */
static bool has_one_of(
        const struct doca_devinfo *device, const struct ifaddrs *all, const char *name, int family)
{
    for (; all != NULL; all = all->ifa_next)
        if (strcmp(all->ifa_name, name) == 0 && is_internet(all->ifa_addr)
                && all->ifa_addr->sa_family == family && has_address(device, all->ifa_addr))
            return true;
    return false;
}

static void devices_have_the_addresses_of_their_interfaces(void **state)
{
    const struct doca_devinfo *device;
    struct ifaddrs *all, *entry;
    int checked = 0;

    (void)state;
    assert_int_equal(0, getifaddrs(&all));
    for (entry = all; entry != NULL; entry = entry->ifa_next) {
        device = find_interface(entry->ifa_name);
        if (device == NULL || !is_internet(entry->ifa_addr))
            continue;
        assert_true(has_one_of(device, all, entry->ifa_name, entry->ifa_addr->sa_family));
        checked++;
    }
    freeifaddrs(all);
    if (find_interface("lo") != NULL) /* absent if InfiniBand devices are listed */
        assert_true(checked > 0);
}

static void a_global_address_is_preferred_to_a_link_local_address(void **state)
{
    struct sockaddr_in6 address;
    const struct doca_devinfo *device;
    struct ifaddrs *all, *entry;
    uint8_t ipv6[16];

    (void)state;
    assert_int_equal(0, getifaddrs(&all));
    for (entry = all; entry != NULL; entry = entry->ifa_next) {
        device = find_interface(entry->ifa_name);
        if (device == NULL || entry->ifa_addr == NULL || entry->ifa_addr->sa_family != AF_INET6)
            continue;
        memcpy(&address, entry->ifa_addr, sizeof(address));
        if (IN6_IS_ADDR_LINKLOCAL(&address.sin6_addr))
            continue;
        assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_ipv6_addr(device, ipv6, sizeof(ipv6)));
        assert_false(ipv6[0] == 0xfe && (ipv6[1] & 0xc0) == 0x80);
    }
    freeifaddrs(all);
}

static void buffers_smaller_than_the_interface_requires_are_rejected(void **state)
{
    char name[DOCA_DEVINFO_IFACE_NAME_SIZE];
    uint8_t address[16];

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_ipv4_addr(devices[0], address, 3));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_ipv6_addr(devices[0], address, 15));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_mac_addr(devices[0], address, 5));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_devinfo_get_iface_name(devices[0], name, DOCA_DEVINFO_IFACE_NAME_SIZE - 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_devinfo_get_ibdev_name(devices[0], name, DOCA_DEVINFO_IBDEV_NAME_SIZE - 1));
}

static void addresses_match_with_or_without_domain_and_in_any_case(void **state)
{
    static const char *const malformed[] = {
        "",
        "0000",
        "0000:00:00",
        "0000:00:00.g",
        "0000-00:00.0",
        "00:00:00",
        "0000:00:00.00",
        "00000:00:00.0",
        "0000:00:00 0",
        "00:00.0 ",
    };
    uint8_t equal = 2;
    size_t i;

    (void)state;
    assert_int_equal(
            DOCA_SUCCESS, doca_devinfo_is_equal_pci_addr(devices[0], "0000:00:00.0", &equal));
    assert_int_equal(1, equal);
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_is_equal_pci_addr(devices[0], "00:00.0", &equal));
    assert_int_equal(1, equal);
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_is_equal_pci_addr(devices[0], "0A:00.0", &equal));
    assert_int_equal(0, equal);
    for (i = 0; i < sizeof(malformed) / sizeof(malformed[0]); ++i)
        assert_int_equal(DOCA_ERROR_INVALID_VALUE,
                doca_devinfo_is_equal_pci_addr(devices[0], malformed[i], &equal));
}

static void capabilities_are_reported(void **state)
{
    uint8_t supported;

    (void)state;
    assert_int_equal(
            DOCA_SUCCESS, doca_devinfo_cap_is_hotplug_manager_supported(devices[0], &supported));
    assert_int_equal(0, supported);
    assert_int_equal(DOCA_SUCCESS,
            doca_devinfo_cap_is_notification_moderation_supported(devices[0], &supported));
    assert_int_equal(0, supported);
    assert_int_equal(DOCA_SUCCESS,
            doca_devinfo_cap_is_accelerate_resource_reclaim_supported(devices[0], &supported));
    assert_int_equal(0, supported);
    assert_int_equal(
            DOCA_SUCCESS, doca_devinfo_rep_cap_is_filter_all_supported(devices[0], &supported));
    assert_int_equal(1, supported);
    assert_int_equal(
            DOCA_SUCCESS, doca_devinfo_rep_cap_is_filter_net_supported(devices[0], &supported));
    assert_int_equal(1, supported);
    assert_int_equal(DOCA_SUCCESS,
            doca_devinfo_rep_cap_is_filter_emulated_supported(devices[0], &supported));
    assert_int_equal(1, supported);
}

static void null_arguments_are_rejected(void **state)
{
    uint8_t byte;

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_create_list(NULL, &count));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_create_list(&devices, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_destroy_list(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dev_open(NULL, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dev_open(devices[0], NULL));
    assert_int_equal(DOCA_SUCCESS, doca_dev_close(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dev_accelerate_resource_reclaim(NULL));
    assert_null(doca_dev_as_devinfo(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_pci_addr_str(devices[0], NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_devinfo_is_equal_pci_addr(devices[0], NULL, &byte));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_ipv4_addr(NULL, &byte, 4));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_ipv6_addr(NULL, &byte, 16));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_mac_addr(NULL, &byte, 6));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_mac_addr(devices[0], NULL, 6));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_iface_name(NULL, NULL, 256));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_ibdev_name(NULL, NULL, 64));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_lid(devices[0], NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_active_rate(devices[0], NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_vhca_id(devices[0], NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_devinfo_cap_is_hotplug_manager_supported(devices[0], NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_cap_is_filter_all_supported(NULL, &byte));
}

static void an_open_device_outlives_its_list(void **state)
{
    struct doca_devinfo **list;
    char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
    struct doca_dev *dev;
    uint32_t length;

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_create_list(&list, &length));
    assert_int_equal(DOCA_SUCCESS, doca_dev_open(list[length - 1], &dev));
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_pci_addr_str(list[length - 1], pci));
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_destroy_list(list));

    assert_string_equal(pci, priv_doca_dev_pci_address(dev));
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(dev), pci));
    assert_string_equal(pci, priv_doca_dev_pci_address(dev));
    assert_int_equal(DOCA_SUCCESS, doca_dev_close(dev));
}

static void a_device_opened_twice_is_one_object_and_is_closed_twice(void **state)
{
    struct doca_dev *first, *second;

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_dev_open(devices[0], &first));
    assert_int_equal(DOCA_SUCCESS, doca_dev_open(devices[0], &second));
    assert_ptr_equal(first, second);

    assert_int_equal(DOCA_SUCCESS, doca_dev_close(first));
    assert_string_equal("0000:00:00.0", priv_doca_dev_pci_address(second));
    assert_int_equal(DOCA_SUCCESS, doca_dev_close(second));
}

static void a_device_in_use_cannot_be_closed(void **state)
{
    struct doca_dev *dev;

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_dev_open(devices[0], &dev));
    priv_doca_dev_acquire(dev);

    assert_int_equal(DOCA_ERROR_IN_USE, doca_dev_close(dev));

    priv_doca_dev_release(dev);
    assert_int_equal(DOCA_SUCCESS, doca_dev_close(dev));
}

static void *open_and_close(void *argument)
{
    struct doca_dev *dev;
    int i;

    for (i = 0; i < ROUNDS; ++i) {
        if (doca_dev_open(devices[i % count], &dev) != DOCA_SUCCESS)
            return argument;
        priv_doca_dev_acquire(dev);
        priv_doca_dev_release(dev);
        if (doca_dev_close(dev) != DOCA_SUCCESS)
            return argument;
    }
    return NULL;
}

static void several_threads_may_open_and_close_devices(void **state)
{
    pthread_t threads[THREADS];
    void *failure;
    int i;

    for (i = 0; i < THREADS; ++i)
        assert_int_equal(0, pthread_create(&threads[i], NULL, open_and_close, state));
    for (i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], &failure);
        assert_null(failure);
    }
}

static void devices_are_physical_functions(void **state)
{
    enum doca_pci_func_type type = DOCA_PCI_FUNC_TYPE_SF;
    uint32_t index;

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_devinfo_get_pci_func_type(devices[0], &type));
    assert_int_equal(DOCA_PCI_FUNC_TYPE_PF, type);
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_devinfo_get_sf_index(devices[0], &index));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_pci_func_type(NULL, &type));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_pci_func_type(devices[0], NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_sf_index(NULL, &index));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_sf_index(devices[0], NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_device_is_soft0_with_all_properties),
        cmocka_unit_test(the_list_is_terminated_by_null_after_its_last_element),
        cmocka_unit_test(pci_addresses_are_unique),
        cmocka_unit_test(devices_have_the_addresses_of_their_interfaces),
        cmocka_unit_test(a_global_address_is_preferred_to_a_link_local_address),
        cmocka_unit_test(buffers_smaller_than_the_interface_requires_are_rejected),
        cmocka_unit_test(addresses_match_with_or_without_domain_and_in_any_case),
        cmocka_unit_test(capabilities_are_reported),
        cmocka_unit_test(null_arguments_are_rejected),
        cmocka_unit_test(devices_are_physical_functions),
        cmocka_unit_test(an_open_device_outlives_its_list),
        cmocka_unit_test(a_device_opened_twice_is_one_object_and_is_closed_twice),
        cmocka_unit_test(a_device_in_use_cannot_be_closed),
        cmocka_unit_test(several_threads_may_open_and_close_devices),
    };

    return cmocka_run_group_tests(tests, list_devices, free_devices);
}
