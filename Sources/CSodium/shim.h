// libsodium's SHA-256.
#ifndef TAMIS_CSODIUM_SHIM_H
#define TAMIS_CSODIUM_SHIM_H
#include <sodium/crypto_hash_sha256.h>
#endif
