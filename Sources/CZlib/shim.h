// zlib, which unpacks what gzip has packed.
#ifndef TAMIS_CZLIB_SHIM_H
#define TAMIS_CZLIB_SHIM_H

#include <zlib.h>

// inflateInit2 is a macro, which Swift does not see; 16 more than the largest window means gzip's format and no other, a
// negative one no format around it.
static inline int tamis_gunzip_init(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }
static inline int tamis_inflate_init(z_stream *stream) { return inflateInit2(stream, MAX_WBITS); }
static inline int tamis_raw_inflate_init(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }

#endif
