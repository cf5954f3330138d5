#include "CBuiltInFiles.h"

// Part of C23; Clang has it for all versions of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Defines `tamis_NAME`, the file whose bytes are in the array of that name.
#define FILE(name) const struct tamis_file tamis_##name = {name, sizeof(name)};
