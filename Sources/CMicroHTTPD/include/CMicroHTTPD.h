#ifndef TAMIS_MICROHTTPD_H
#define TAMIS_MICROHTTPD_H

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

// The part of GNU libmicrohttpd that serves files: the library is loaded when a server starts, so that nothing else needs it.

struct tamis_http_server;

// What is answered: a status and a response, which the server destroys.
struct tamis_http_answer {
  unsigned int status;
  struct MHD_Response *response;
};

// Answers a request. It is called on a thread of the server; target has its percent signs, and no query; host may be NULL.
typedef struct tamis_http_answer (*tamis_http_handler)(void *context, const char *method, const char *target, const char *host);

// The limits of a server.
struct tamis_http_limits {
  unsigned int connections;     // open at the same time
  unsigned int silent_seconds;  // after which a connection without traffic is closed
  size_t memory;                // for the request line and the header fields of a connection, in bytes
};

// Loads the library; NULL, or why it cannot be loaded.
const char *tamis_http_load(void);

// Starts a server at an IPv4 or IPv6 address in numbers; port 0 takes a free one. Returns NULL and sets errno when the address cannot be taken.
struct tamis_http_server *tamis_http_start(
  const char *address, uint16_t port, struct tamis_http_limits limits, tamis_http_handler handler, void *context);

// The port of a server.
uint16_t tamis_http_port(const struct tamis_http_server *server);

// Stops a server, and waits for the answers that are being made.
void tamis_http_stop(struct tamis_http_server *server);

// A response with a copy of these bytes.
struct MHD_Response *tamis_http_bytes(const void *bytes, size_t count);

// A response with the content of a file, which it closes.
struct MHD_Response *tamis_http_file(int descriptor, uint64_t size);

// Adds a header field.
void tamis_http_field(struct MHD_Response *response, const char *name, const char *value);

#endif
