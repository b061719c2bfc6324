/* SPDX-License-Identifier: Apache-2.0 */
#include <cstdio>
#include <string>

#include "reverse.h"

namespace {

/* A list of devices, destroyed at the end of its scope. */
class devices {
public:
    devices()
    {
        if (doca_devinfo_create_list(&list_, &count_) != DOCA_SUCCESS)
            count_ = 0;
    }

    devices(const devices &) = delete;
    devices &operator=(const devices &) = delete;

    ~devices()
    {
        if (list_ != nullptr)
            doca_devinfo_destroy_list(list_);
    }

    doca_devinfo **begin() const { return list_; }
    doca_devinfo **end() const { return list_ + count_; }

private:
    doca_devinfo **list_ = nullptr;
    uint32_t count_ = 0;
};

std::string name_of(const doca_devinfo *device)
{
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE] = {};

    return doca_devinfo_get_ibdev_name(device, name, sizeof(name)) == DOCA_SUCCESS ? name : "";
}

std::string address_of(const doca_devinfo *device)
{
    char address[DOCA_DEVINFO_PCI_ADDR_SIZE] = {};

    return doca_devinfo_get_pci_addr_str(device, address) == DOCA_SUCCESS ? address : "";
}

} // namespace

doca_error_t open_device(const char *name, doca_dev **dev)
{
    doca_error_t result = DOCA_ERROR_NOT_FOUND;

    for (auto *device : devices()) {
        std::printf("device %s %s\n", name_of(device).c_str(), address_of(device).c_str());
        if (result == DOCA_ERROR_NOT_FOUND && name_of(device) == name)
            result = doca_dev_open(device, dev);
    }
    return result;
}
