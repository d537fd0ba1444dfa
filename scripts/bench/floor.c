/*
 * Makes the thumbnails of themes and nothing else, as the lower bound of a build: `floor TARGET < list`. Each line of the list is `p` or
 * `j` (PNG of 250x250, JPEG of 2200x2200), a space and a path. Runs two processes with one thread each, and sets as few options as
 * identical thumbnails allow.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vips/vips.h>

enum { PROCESSES = 2, MAX_IMAGES = 200000 };

static char *images[MAX_IMAGES];

static int render(const char *target, int index) {
  const char *image = images[index];
  int jpeg = image[0] == 'j';
  int box = jpeg ? 2200 : 250;
  char file[4096];
  VipsImage *out;
  snprintf(file, sizeof file, "%s/%d.%s", target, index, jpeg ? "jpg" : "png");
  if (vips_thumbnail(image + 2, &out, box, "height", box, "size", VIPS_SIZE_DOWN, NULL)) return -1;
  int failed = jpeg ? vips_jpegsave(out, file, "Q", 80, "optimize_coding", TRUE, "strip", TRUE, NULL)
                    : vips_pngsave(out, file, "compression", 9, "strip", TRUE, NULL);
  g_object_unref(out);
  return failed;
}

int main(int argc, char **argv) {
  char *line = NULL;
  size_t size = 0;
  int count = 0;
  if (argc != 2) return 2;
  while (count < MAX_IMAGES && getline(&line, &size, stdin) > 2) {
    line[strcspn(line, "\n")] = '\0';
    images[count++] = strdup(line);
  }
  atomic_int *next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (next == MAP_FAILED) return 2;
  for (int process = 0; process < PROCESSES; process++) {
    if (fork() != 0) continue;
    if (VIPS_INIT(argv[0])) _exit(2);
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    for (int index; (index = atomic_fetch_add(next, 1)) < count;) {
      if (render(argv[1], index)) {
        fprintf(stderr, "%s: %s\n", images[index] + 2, vips_error_buffer());
        _exit(1);
      }
    }
    _exit(0);
  }
  int failed = 0;
  for (int status; wait(&status) > 0;) failed |= status != 0;
  return failed;
}
