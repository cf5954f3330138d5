// Of xxHash XXH3 with 64 bits.
#ifndef TAMIS_CXXHASH_SHIM_H
#define TAMIS_CXXHASH_SHIM_H
#include <xxhash.h>
#endif
