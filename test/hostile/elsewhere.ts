/** Cases that a themes folder alone does not show: the test that does, by its file and words of its title. */
export const elsewhere: Readonly<Record<number, readonly [file: string, title: string]>> = {
  107: ['hostile.test.ts', 'what may not be read is named'],
  110: ['publish.test.ts', "test.each(['kill', 'ENOSPC'] as const)"],
  111: ['build.test.ts', 'killed from outside at any time, the old output is whole'],
  112: ['build.test.ts', 'output that cannot be written leaves the old output'],
  113: ['build.test.ts', 'with files of someone else'],
  114: ['build.test.ts', 'of builds at the same time at least one publishes'],
  115: ['publish.test.ts', 'of a process that has ended is taken over'],
  116: ['cache.test.ts', 'a bit of each thumbnail'],
  128: ['scale/million-users.test.ts', 'shards find them'],
  131: ['edge/nginx.test.ts', "it.each(['$document_root'"],
  133: ['build.test.ts', 'no user key, nor its digest, is in any byte of dist/'],
  134: ['users.test.ts', "['no secret', undefined, 'is not set']"],
  135: ['unit/document/browsable-page.test.ts', 'stays the same with the name'],
  136: ['unit/document/browsable-page.test.ts', 'does not change the markup'],
  137: ['edge/contract/identity.ts', 'takes the theme from nowhere else'],
  138: ['edge/shared-cache.test.ts', 'get their own theme when they all ask at once'],
  139: ['edge/contract/paths.ts', 'gives nothing away for'],
  140: ['edge/contract/static.ts', 'refuses %s, and says what is allowed'],
};

/** Not tested: a file that changes while it is read. Its bytes are read once, and all that is published is made of them. */
export const UNTESTED = [36];
