// libcurl's easy and multi interfaces, loaded when first used: it brings 25 more libraries with it, which would take a third of the
// time that the program needs to start, and most commands send no request.
//
// Every function is libcurl's own of the name without `tamis_`; what takes any number of arguments cannot be called from Swift, and
// is here by type.
#ifndef TAMIS_CCURL_H
#define TAMIS_CCURL_H

#include <curl/curl.h>
#include <netinet/in.h>
#include <sys/socket.h>

/// Loads libcurl; before this has answered NULL, no other function may be called. Not to be called by two threads at once.
///
/// Returns why it cannot be loaded, which is valid until the thread's next call; NULL when it is.
const char *tamis_curl_load(void);

CURLcode tamis_curl_global_init(long flags);
// The version of the library, as `curl_version_info` gives it.
const char *tamis_curl_version(void);
time_t tamis_curl_getdate(const char *text);

CURL *tamis_curl_easy_init(void);
void tamis_curl_easy_cleanup(CURL *curl);
const char *tamis_curl_easy_strerror(CURLcode code);
struct curl_slist *tamis_curl_slist_append(struct curl_slist *list, const char *text);
void tamis_curl_slist_free_all(struct curl_slist *list);

CURLM *tamis_curl_multi_init(void);
CURLMcode tamis_curl_multi_cleanup(CURLM *multi);
CURLMcode tamis_curl_multi_add_handle(CURLM *multi, CURL *curl);
CURLMcode tamis_curl_multi_remove_handle(CURLM *multi, CURL *curl);
CURLMcode tamis_curl_multi_perform(CURLM *multi, int *running);
CURLMcode tamis_curl_multi_poll(CURLM *multi, int milliseconds);
CURLMcode tamis_curl_multi_wakeup(CURLM *multi);
CURLMsg *tamis_curl_multi_info_read(CURLM *multi, int *left);

// MARK: - Options and answers, by type

typedef size_t (*tamis_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
typedef int (*tamis_curl_progress)(void *context, curl_off_t dltotal, curl_off_t dlnow, curl_off_t ultotal, curl_off_t ulnow);
typedef curl_socket_t (*tamis_curl_open)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static const long tamis_curl_auth_basic = CURLAUTH_BASIC;

CURLcode tamis_curl_set_long(CURL *curl, CURLoption option, long value);
CURLcode tamis_curl_set_offset(CURL *curl, CURLoption option, curl_off_t value);
CURLcode tamis_curl_set_text(CURL *curl, CURLoption option, const char *value);
CURLcode tamis_curl_set_pointer(CURL *curl, CURLoption option, void *value);
CURLcode tamis_curl_set_list(CURL *curl, CURLoption option, struct curl_slist *value);
CURLcode tamis_curl_on_bytes(CURL *curl, CURLoption option, tamis_curl_bytes function);
CURLcode tamis_curl_on_progress(CURL *curl, tamis_curl_progress function);
CURLcode tamis_curl_on_open(CURL *curl, tamis_curl_open function);
CURLcode tamis_curl_get_long(CURL *curl, CURLINFO info, long *value);
CURLcode tamis_curl_get_offset(CURL *curl, CURLINFO info, curl_off_t *value);
CURLcode tamis_curl_get_pointer(CURL *curl, CURLINFO info, void **value);
CURLMcode tamis_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);

#endif
