/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any export descriptor of a memory map or a sync event results in a usable
 * object or an error. The first byte selects the kind of object, and whether a valid descriptor
 * is modified (offset, byte) or the bytes are used directly.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_dev.h>
#include <doca_mmap.h>
#include <doca_sync_event.h>

#include "input.h"

#define RANGE 256
#define DESCRIPTOR_MAX 512
#define OF_EVENT 1
#define CHANGED 2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct doca_dev *device;
static struct doca_mmap *map;
static struct doca_sync_event *event;
static uint8_t *range;

static void open_device(void)
{
    struct doca_devinfo **list;
    uint32_t count;

    require(doca_devinfo_create_list(&list, &count) == DOCA_SUCCESS && count > 0);
    require(doca_dev_open(list[0], &device) == DOCA_SUCCESS);
    doca_devinfo_destroy_list(list);
}

static void start_map(void)
{
    range = calloc(1, RANGE);
    require(doca_mmap_create(&map) == DOCA_SUCCESS);
    require(doca_mmap_add_dev(map, device) == DOCA_SUCCESS);
    require(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE) == DOCA_SUCCESS);
    require(doca_mmap_set_memrange(map, range, RANGE) == DOCA_SUCCESS);
    require(doca_mmap_start(map) == DOCA_SUCCESS);
}

static void start_event(void)
{
    require(doca_sync_event_create(&event) == DOCA_SUCCESS);
    require(doca_sync_event_add_publisher_location_cpu(event, device) == DOCA_SUCCESS);
    require(doca_sync_event_add_subscriber_location_remote_pci(event) == DOCA_SUCCESS);
    require(doca_sync_event_start(event) == DOCA_SUCCESS);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    open_device();
    start_map();
    start_event();
    return 0;
}

static size_t make_descriptor(struct input *input, bool of_event, uint8_t bytes[DESCRIPTOR_MAX])
{
    const void *real = NULL;
    size_t length = 0;

    if (of_event)
        require(doca_sync_event_export_to_remote_pci(
                        event, device, (const uint8_t **)&real, &length)
                == DOCA_SUCCESS);
    else
        require(doca_mmap_export_pci(map, device, &real, &length) == DOCA_SUCCESS);
    require(length <= DESCRIPTOR_MAX);
    memcpy(bytes, real, length);
    while (input->left >= 2) {
        size_t at = take_number(input, 1);

        bytes[at % length] ^= (uint8_t)take_number(input, 1);
    }
    return length;
}

/* The range must be memory of this process, even if the descriptor claims otherwise. */
static void use_map(const uint8_t *bytes, size_t length)
{
    struct doca_mmap *made = NULL;
    void *address = NULL;
    size_t range_length = 0;

    if (doca_mmap_create_from_export(NULL, bytes, length, device, &made) != DOCA_SUCCESS)
        return;
    require(doca_mmap_get_memrange(made, &address, &range_length) == DOCA_SUCCESS);
    require(address == range && range_length == RANGE);
    require(doca_mmap_destroy(made) == DOCA_SUCCESS);
}

static void use_event(const uint8_t *bytes, size_t length)
{
    struct doca_sync_event *made = NULL;
    uint64_t value = 0;

    if (doca_sync_event_create_from_export(device, bytes, length, &made) != DOCA_SUCCESS)
        return;
    require(doca_sync_event_start(made) == DOCA_SUCCESS);
    require(doca_sync_event_update_add(made, 1, &value) == DOCA_SUCCESS);
    require(doca_sync_event_stop(made) == DOCA_SUCCESS);
    require(doca_sync_event_destroy(made) == DOCA_SUCCESS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, size };
    unsigned kind = (unsigned)take_number(&input, 1);
    uint8_t bytes[DESCRIPTOR_MAX];
    size_t length;
    uint8_t *exact;

    if (kind & CHANGED) {
        length = make_descriptor(&input, kind & OF_EVENT, bytes);
    } else {
        length = input.left < DESCRIPTOR_MAX ? input.left : DESCRIPTOR_MAX;
        take_bytes(&input, bytes, length);
    }
    exact = malloc(length + 1);
    require(exact != NULL);
    memcpy(exact, bytes, length);
    if (kind & OF_EVENT)
        use_event(exact, length);
    else
        use_map(exact, length);
    free(exact);
    return 0;
}
