#include "CCurl.h"

#include <dlfcn.h>

#ifdef __APPLE__
#define LIBRARY "libcurl.4.dylib"
#else
#define LIBRARY "libcurl.so.4"
#endif

// What is called of libcurl.
#define FUNCTIONS(EACH) \
  EACH(global_init) EACH(version_info) EACH(getdate) \
  EACH(easy_init) EACH(easy_cleanup) EACH(easy_strerror) EACH(easy_setopt) EACH(easy_getinfo) \
  EACH(slist_append) EACH(slist_free_all) \
  EACH(multi_init) EACH(multi_cleanup) EACH(multi_setopt) EACH(multi_add_handle) EACH(multi_remove_handle) \
  EACH(multi_perform) EACH(multi_poll) EACH(multi_wakeup) EACH(multi_info_read)

// Each with the type that libcurl's header gives it.
static struct {
#define FIELD(name) __typeof__(curl_##name) *name;
  FUNCTIONS(FIELD)
} libcurl;

const char *tamis_curl_load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define LOOK_UP(name) \
  libcurl.name = (__typeof__(curl_##name) *)dlsym(library, "curl_" #name); \
  if (!libcurl.name) return dlerror();
  FUNCTIONS(LOOK_UP)
  return NULL;
}

CURLcode tamis_curl_global_init(long flags) { return libcurl.global_init(flags); }
const char *tamis_curl_version(void) { return libcurl.version_info(CURLVERSION_NOW)->version; }
time_t tamis_curl_getdate(const char *text) { return libcurl.getdate(text, NULL); }

CURL *tamis_curl_easy_init(void) { return libcurl.easy_init(); }
void tamis_curl_easy_cleanup(CURL *curl) { libcurl.easy_cleanup(curl); }
const char *tamis_curl_easy_strerror(CURLcode code) { return libcurl.easy_strerror(code); }
struct curl_slist *tamis_curl_slist_append(struct curl_slist *list, const char *text) { return libcurl.slist_append(list, text); }
void tamis_curl_slist_free_all(struct curl_slist *list) { libcurl.slist_free_all(list); }

CURLM *tamis_curl_multi_init(void) { return libcurl.multi_init(); }
CURLMcode tamis_curl_multi_cleanup(CURLM *multi) { return libcurl.multi_cleanup(multi); }
CURLMcode tamis_curl_multi_add_handle(CURLM *multi, CURL *curl) { return libcurl.multi_add_handle(multi, curl); }
CURLMcode tamis_curl_multi_remove_handle(CURLM *multi, CURL *curl) { return libcurl.multi_remove_handle(multi, curl); }
CURLMcode tamis_curl_multi_perform(CURLM *multi, int *running) { return libcurl.multi_perform(multi, running); }
CURLMcode tamis_curl_multi_poll(CURLM *multi, int milliseconds) { return libcurl.multi_poll(multi, NULL, 0, milliseconds, NULL); }
CURLMcode tamis_curl_multi_wakeup(CURLM *multi) { return libcurl.multi_wakeup(multi); }
CURLMsg *tamis_curl_multi_info_read(CURLM *multi, int *left) { return libcurl.multi_info_read(multi, left); }

#define SET(curl, option, value) return libcurl.easy_setopt(curl, option, value)
CURLcode tamis_curl_set_long(CURL *curl, CURLoption option, long value) { SET(curl, option, value); }
CURLcode tamis_curl_set_offset(CURL *curl, CURLoption option, curl_off_t value) { SET(curl, option, value); }
CURLcode tamis_curl_set_text(CURL *curl, CURLoption option, const char *value) { SET(curl, option, value); }
CURLcode tamis_curl_set_pointer(CURL *curl, CURLoption option, void *value) { SET(curl, option, value); }
CURLcode tamis_curl_set_list(CURL *curl, CURLoption option, struct curl_slist *value) { SET(curl, option, value); }
CURLcode tamis_curl_on_bytes(CURL *curl, CURLoption option, tamis_curl_bytes function) { SET(curl, option, function); }
CURLcode tamis_curl_on_progress(CURL *curl, tamis_curl_progress function) { SET(curl, CURLOPT_XFERINFOFUNCTION, function); }
CURLcode tamis_curl_on_open(CURL *curl, tamis_curl_open function) { SET(curl, CURLOPT_OPENSOCKETFUNCTION, function); }

CURLcode tamis_curl_get_long(CURL *curl, CURLINFO info, long *value) { return libcurl.easy_getinfo(curl, info, value); }
CURLcode tamis_curl_get_offset(CURL *curl, CURLINFO info, curl_off_t *value) { return libcurl.easy_getinfo(curl, info, value); }
CURLcode tamis_curl_get_pointer(CURL *curl, CURLINFO info, void **value) { return libcurl.easy_getinfo(curl, info, value); }
CURLMcode tamis_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) { return libcurl.multi_setopt(multi, option, value); }
