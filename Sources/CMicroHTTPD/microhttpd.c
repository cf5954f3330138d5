#include "CMicroHTTPD.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __APPLE__
#define LIBRARY "libmicrohttpd.12.dylib"
#else
#define LIBRARY "libmicrohttpd.so.12"
#endif

// What is called of libmicrohttpd.
#define FUNCTIONS(EACH) \
  EACH(start_daemon) EACH(stop_daemon) EACH(lookup_connection_value) EACH(queue_response) EACH(destroy_response) \
  EACH(create_response_from_buffer) EACH(create_response_from_fd64) EACH(add_response_header)

// Each with the type that the library's header gives it.
static struct {
#define FIELD(name) __typeof__(MHD_##name) *name;
  FUNCTIONS(FIELD)
} library;

struct tamis_http_server {
  struct MHD_Daemon *daemon;
  tamis_http_handler handler;
  void *context;
  uint16_t port;
};

const char *tamis_http_load(void) {
  void *file = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!file) return dlerror();
#define LOOK_UP(name) \
  library.name = (__typeof__(MHD_##name) *)dlsym(file, "MHD_" #name); \
  if (!library.name) return dlerror();
  FUNCTIONS(LOOK_UP)
  return NULL;
}

static enum MHD_Result answer(
  void *context, struct MHD_Connection *connection, const char *target, const char *method, const char *version,
  const char *body, size_t *size, void **state
) {
  (void)version, (void)body, (void)size, (void)state;
  const struct tamis_http_server *server = context;
  const char *host = library.lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
  // An answer before the body of a request ends the connection with it, so no body is ever read.
  struct tamis_http_answer made = server->handler(server->context, method, target, host);
  if (!made.response) return MHD_NO;
  enum MHD_Result result = library.queue_response(connection, made.status, made.response);
  library.destroy_response(made.response);
  return result;
}

// Leaves the escapes of a target as they are.
static size_t unescape(void *context, struct MHD_Connection *connection, char *text) {
  (void)context, (void)connection;
  return strlen(text);
}

// Returns a socket that listens, or -1 with errno.
static int listening(const char *address, uint16_t port) {
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port)};
  int is_six = inet_pton(AF_INET6, address, &six.sin6_addr) == 1;
  if (!is_six && inet_pton(AF_INET, address, &four.sin_addr) != 1) {
    errno = EINVAL;
    return -1;
  }
  int end = socket(is_six ? AF_INET6 : AF_INET, SOCK_STREAM, 0), yes = 1;
  if (end < 0) return -1;
  setsockopt(end, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const struct sockaddr *name = is_six ? (const struct sockaddr *)&six : (const struct sockaddr *)&four;
  if (bind(end, name, is_six ? sizeof six : sizeof four) == 0 && listen(end, 64) == 0) return end;
  int failure = errno;
  close(end);
  errno = failure;
  return -1;
}

static uint16_t port_of(int end) {
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  if (getsockname(end, (struct sockaddr *)&name, &length) != 0) return 0;
  return ntohs(name.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&name)->sin6_port : ((struct sockaddr_in *)&name)->sin_port);
}

struct tamis_http_server *tamis_http_start(
  const char *address, uint16_t port, struct tamis_http_limits limits, tamis_http_handler handler, void *context
) {
  int end = listening(address, port);
  if (end < 0) return NULL;
  struct tamis_http_server *server = malloc(sizeof *server);
  if (!server) abort();
  *server = (struct tamis_http_server){.handler = handler, .context = context, .port = port_of(end)};
  server->daemon = library.start_daemon(
    MHD_USE_AUTO_INTERNAL_THREAD, 0, NULL, NULL, answer, server, MHD_OPTION_LISTEN_SOCKET, end,
    MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_CONNECTION_TIMEOUT, limits.silent_seconds,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory, MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL,
    MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  if (server->daemon) return server;
  close(end);
  free(server);
  errno = ENOMEM;
  return NULL;
}

uint16_t tamis_http_port(const struct tamis_http_server *server) { return server->port; }

void tamis_http_stop(struct tamis_http_server *server) {
  library.stop_daemon(server->daemon);
  free(server);
}

struct MHD_Response *tamis_http_bytes(const void *bytes, size_t count) {
  return library.create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct MHD_Response *tamis_http_file(int descriptor, uint64_t size) {
  struct MHD_Response *response = library.create_response_from_fd64(size, descriptor);
  if (!response) close(descriptor);
  return response;
}

void tamis_http_field(struct MHD_Response *response, const char *name, const char *value) {
  library.add_response_header(response, name, value);
}
