// libtidy. Debian keeps its headers in tidy/, Homebrew does not; the macOS SDK has an ancient tidy/tidy.h of its own,
// so the plain name is tried first.
#ifndef TAMIS_CTIDY_SHIM_H
#define TAMIS_CTIDY_SHIM_H

// tidy's `Bool`, `yes` and `no` would shadow Swift's Bool wherever this module is imported.
#define Bool TidyBool
#define yes TidyYes
#define no TidyNo
#if __has_include(<tidybuffio.h>)
#include <tidy.h>
#include <tidybuffio.h>
#else
#include <tidy/tidy.h>
#include <tidy/tidybuffio.h>
#endif
#undef Bool
#undef yes
#undef no

#endif
