// Pseudo-terminals, which Swift's Glibc module lacks. Header only.
#pragma once

#if defined(__linux__)
#include <pty.h>
#else
#include <util.h>
#endif
