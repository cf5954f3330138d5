// Of libsodium SHA-256 and SipHash.
#ifndef TAMIS_CSODIUM_SHIM_H
#define TAMIS_CSODIUM_SHIM_H
#include <sodium/crypto_hash_sha256.h>
#include <sodium/crypto_shorthash.h>
#endif
