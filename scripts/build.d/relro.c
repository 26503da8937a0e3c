// Makes data read-only after the start-up code of a small executable has relocated it. musl does this for
// shared libraries, but not for static executables.
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

__attribute__((constructor)) static void protect_relocated_data(void) {
    const ElfW(Ehdr) *file = (const void *)__ehdr_start;
    const ElfW(Phdr) *segments = (const void *)(__ehdr_start + file->e_phoff);
    const uintptr_t page = (uintptr_t)getpagesize();
    for (int index = 0; index < file->e_phnum; index++) {
        if (segments[index].p_type != PT_GNU_RELRO) continue;
        uintptr_t start = ((uintptr_t)__ehdr_start + segments[index].p_vaddr) & -page;
        uintptr_t end = ((uintptr_t)__ehdr_start + segments[index].p_vaddr + segments[index].p_memsz) & -page;
        if (mprotect((void *)start, end - start, PROT_READ) != 0) abort();
    }
}
