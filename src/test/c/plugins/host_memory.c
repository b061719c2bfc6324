/* SPDX-License-Identifier: Apache-2.0 */
/* Memory between guard pages, registered with UCX. */
#include <sys/mman.h>

#include <cmocka_all.h>

#include "host_memory.h"

#define PAGE 4096

static void open_worker(struct host_memory *memory)
{
    static const ucp_worker_params_t worker_params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
        .thread_mode = UCS_THREAD_MODE_SINGLE,
    };
    static const ucp_params_t params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES,
        .features = UCP_FEATURE_RMA | UCP_FEATURE_AM,
    };
    ucp_config_t *config;

    assert_int_equal(ucp_config_read(NULL, NULL, &config), UCS_OK);
    assert_int_equal(ucp_init(&params, config, &memory->context), UCS_OK);
    ucp_config_release(config);
    assert_int_equal(ucp_worker_create(memory->context, &worker_params, &memory->worker), UCS_OK);
    assert_int_equal(
            ucp_worker_get_address(memory->worker, &memory->address, &memory->address_length),
            UCS_OK);
}

static void map_region(struct host_memory *memory, size_t length)
{
    size_t pages = (length + PAGE - 1) / PAGE * PAGE;
    ucp_mem_map_params_t params = {
        .field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH,
        .length = length,
    };

    memory->mapping_length = pages + 2 * PAGE;
    memory->mapping = mmap(
            NULL, memory->mapping_length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory->mapping, MAP_FAILED);
    assert_int_equal(mprotect(memory->mapping + PAGE, pages, PROT_READ | PROT_WRITE), 0);
    memory->region = memory->mapping + PAGE + pages - length;
    memory->length = length;
    params.address = memory->region;
    assert_int_equal(ucp_mem_map(memory->context, &params, &memory->handle), UCS_OK);
    assert_int_equal(
            ucp_rkey_pack(memory->context, memory->handle, &memory->key, &memory->key_length),
            UCS_OK);
}

void host_memory_open(struct host_memory *memory, size_t length)
{
    open_worker(memory);
    map_region(memory, length);
}

void host_memory_close(struct host_memory *memory)
{
    ucp_rkey_buffer_release(memory->key);
    ucp_mem_unmap(memory->context, memory->handle);
    ucp_worker_release_address(memory->worker, memory->address);
    ucp_worker_destroy(memory->worker);
    ucp_cleanup(memory->context);
    munmap(memory->mapping, memory->mapping_length);
}
