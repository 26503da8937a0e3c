// Randomness and scrypt of a simulation, in the place of the system's and of libcrypto's.
#pragma once

#include <stddef.h>
#include <stdint.h>

// From here on what this thread draws follows from the seed, and scrypt costs it next to nothing.
void entropy_begin(uint64_t seed);

// From here on this thread draws from the system again, and scrypt is what it is.
void entropy_end(void);

// What this thread would draw next, in a simulation.
void entropy_peek(void *bytes, size_t count);
