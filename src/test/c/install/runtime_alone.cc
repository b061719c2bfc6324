// SPDX-License-Identifier: Apache-2.0
// A program that needs each library.
#include <doca_argp.h>
#include <doca_dma.h>
#include <doca_sha.h>
#include <doca_urom.h>

int main()
{
    return doca_argp_destroy() != DOCA_ERROR_INVALID_VALUE
        && doca_dma_create(nullptr, nullptr) == DOCA_ERROR_INVALID_VALUE
        && doca_sha_create(nullptr, nullptr) == DOCA_ERROR_INVALID_VALUE
        && doca_urom_service_create(nullptr) == DOCA_ERROR_INVALID_VALUE
        ? 0 : 1;
}
