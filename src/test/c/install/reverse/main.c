/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A complete host program: it parses its arguments, lists the devices, opens one, starts a worker
 * with a plugin, sends each message as a command and prints the answers. DOCA_UROM_SERVICE_FILE
 * names the service. The exit code is 0 on success.
 */
#include <doca_argp.h>
#include <doca_version.h>

#include "reverse.h"

DOCA_LOG_REGISTER(REVERSE::MAIN);

static doca_error_t take_device(void *param, void *config)
{
    struct reverse_config *reverse = (struct reverse_config *)config;

    if (strnlen((char *)param, sizeof(reverse->device)) == sizeof(reverse->device)) {
        DOCA_LOG_ERR("The device name is too long");
        return DOCA_ERROR_INVALID_VALUE;
    }
    strcpy(reverse->device, (char *)param);
    return DOCA_SUCCESS;
}

static doca_error_t take_plugin(void *param, void *config)
{
    struct reverse_config *reverse = (struct reverse_config *)config;

    snprintf(reverse->plugin, sizeof(reverse->plugin), "%s", (char *)param);
    return DOCA_SUCCESS;
}

static doca_error_t take_message(void *param, void *config)
{
    struct reverse_config *reverse = (struct reverse_config *)config;

    if (reverse->count == MAX_MESSAGES)
        return DOCA_ERROR_FULL;
    reverse->messages[reverse->count++] = (char *)param;
    return DOCA_SUCCESS;
}

static doca_error_t register_flag(const char *short_name, const char *long_name,
        const char *description, doca_argp_param_cb_t callback, int is_message)
{
    struct doca_argp_param *flag;
    doca_error_t status = doca_argp_param_create(&flag);

    if (status != DOCA_SUCCESS)
        return status;
    doca_argp_param_set_short_name(flag, short_name);
    doca_argp_param_set_long_name(flag, long_name);
    doca_argp_param_set_description(flag, description);
    doca_argp_param_set_callback(flag, callback);
    doca_argp_param_set_type(flag, DOCA_ARGP_TYPE_STRING);
    if (is_message) {
        doca_argp_param_set_mandatory(flag);
        doca_argp_param_set_multiplicity(flag);
    }
    return doca_argp_register_param(flag);
}

static doca_error_t register_flags(void)
{
    doca_error_t status, next;

    status = register_flag("d", "device", "Device name", take_device, 0);
    next = register_flag("pl", "plugin", "Plugin name", take_plugin, 0);
    DOCA_ERROR_PROPAGATE(status, next);
    next = register_flag("m", "message", "Message to be reversed", take_message, 1);
    DOCA_ERROR_PROPAGATE(status, next);
    return status;
}

int main(int argc, char **argv)
{
    struct reverse_config config = { .device = "soft0", .plugin = "worker_reverse" };
    struct doca_log_backend *sdk_log;
    struct doca_dev *dev;
    doca_error_t status;
    int exit_status = EXIT_FAILURE;

    if (doca_log_backend_create_standard() != DOCA_SUCCESS
            || doca_log_backend_create_with_file_sdk(stderr, &sdk_log) != DOCA_SUCCESS
            || doca_log_backend_set_sdk_level(sdk_log, DOCA_LOG_LEVEL_WARNING) != DOCA_SUCCESS)
        return exit_status;

    status = doca_argp_init(NULL, &config);
    if (status != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot initialize the argument parser: %s", doca_error_get_descr(status));
        return exit_status;
    }
    status = register_flags();
    if (status == DOCA_SUCCESS)
        status = doca_argp_start(argc, argv);
    if (status != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Invalid arguments: %s", doca_error_get_descr(status));
        goto destroy_parser;
    }

    status = open_device(config.device, &dev);
    if (status != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot open device %s: %s", config.device, doca_error_get_descr(status));
        goto destroy_parser;
    }
    DOCA_LOG_DBG("Built with DOCA %s", doca_version());
    offload(&config, dev);
    if (doca_dev_close(dev) == DOCA_SUCCESS)
        exit_status = EXIT_SUCCESS;

destroy_parser:
    doca_argp_destroy();
    return exit_status;
}
