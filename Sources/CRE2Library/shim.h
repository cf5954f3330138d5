// RE2 has headers of C++ alone, which the target CRE2 includes; this module says where they and the library are.
