// zlib, which unpacks what gzip has packed, and packs what is in a zip file.
#ifndef TAMIS_CZLIB_SHIM_H
#define TAMIS_CZLIB_SHIM_H

#include <zlib.h>

// inflateInit2 and deflateInit2 are macros, which Swift does not see; 16 more than the largest window means gzip's format and no
// other, a negative one no format around it.
static inline int tamis_gunzip_init(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }
static inline int tamis_inflate_init(z_stream *stream) { return inflateInit2(stream, MAX_WBITS); }
static inline int tamis_raw_inflate_init(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }
static inline int tamis_raw_deflate_init(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}

#endif
