/* SPDX-License-Identifier: Apache-2.0 */
#ifndef JUROM_FUZZ_TEMPORARY_FOLDER_H_
#define JUROM_FUZZ_TEMPORARY_FOLDER_H_

/*
 * Makes a folder, whose name's XXXXXX are replaced. It is removed with its files when this process has
 * gone, however it went.
 */
void make_temporary_folder(char *name);

#endif
