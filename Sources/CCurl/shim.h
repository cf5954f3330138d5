// libcurl's easy and multi interfaces. What takes any number of arguments cannot be called from Swift: here it is by type.
#ifndef TAMIS_CCURL_SHIM_H
#define TAMIS_CCURL_SHIM_H

#include <curl/curl.h>
#include <netinet/in.h>
#include <sys/socket.h>

static inline CURLcode tamis_curl_set_long(CURL *curl, CURLoption option, long value) {
  return curl_easy_setopt(curl, option, value);
}

static inline CURLcode tamis_curl_set_offset(CURL *curl, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(curl, option, value);
}

static inline CURLcode tamis_curl_set_text(CURL *curl, CURLoption option, const char *value) {
  return curl_easy_setopt(curl, option, value);
}

static inline CURLcode tamis_curl_set_pointer(CURL *curl, CURLoption option, void *value) {
  return curl_easy_setopt(curl, option, value);
}

static inline CURLcode tamis_curl_set_list(CURL *curl, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(curl, option, value);
}

static const long tamis_curl_auth_basic = CURLAUTH_BASIC;

typedef size_t (*tamis_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
typedef int (*tamis_curl_progress)(void *context, curl_off_t dltotal, curl_off_t dlnow, curl_off_t ultotal, curl_off_t ulnow);
typedef curl_socket_t (*tamis_curl_open)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode tamis_curl_on_bytes(CURL *curl, CURLoption option, tamis_curl_bytes function) {
  return curl_easy_setopt(curl, option, function);
}

static inline CURLcode tamis_curl_on_progress(CURL *curl, tamis_curl_progress function) {
  return curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, function);
}

static inline CURLcode tamis_curl_on_open(CURL *curl, tamis_curl_open function) {
  return curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode tamis_curl_get_long(CURL *curl, CURLINFO info, long *value) {
  return curl_easy_getinfo(curl, info, value);
}

static inline CURLcode tamis_curl_get_offset(CURL *curl, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(curl, info, value);
}

static inline CURLcode tamis_curl_get_pointer(CURL *curl, CURLINFO info, void **value) {
  return curl_easy_getinfo(curl, info, value);
}

static inline CURLMcode tamis_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

#endif
