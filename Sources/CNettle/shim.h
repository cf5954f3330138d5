// Of nettle SHA-256.
#ifndef TAMIS_CNETTLE_SHIM_H
#define TAMIS_CNETTLE_SHIM_H
#include <nettle/sha2.h>
#include <nettle/version.h>

// Writes the 32 bytes of a digest; nettle 4 no longer takes their number.
static inline void tamis_sha256_digest(struct sha256_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
  nettle_sha256_digest(context, digest);
#else
  nettle_sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#endif
}
#endif
