// Pseudo-terminals, which Swift's Glibc module lacks. Header only.
#pragma once

#include <pty.h>
