// Replaces the system's random numbers and libcrypto's scrypt during a simulation, so that it can be repeated.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Makes random numbers of this thread follow from the seed, and scrypt cheap.
void entropy_begin(uint64_t seed);

// Restores the system's random numbers and the real scrypt for this thread.
void entropy_end(void);

// Returns the state of this thread's random numbers in a simulation.
void entropy_peek(void *bytes, size_t count);
