import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { hashFile, sha256Of } from '../../system/disk/files.ts';
import type { UsersOptions } from './read-assignments.ts';
import type { Users } from '../../core/users/read-users.ts';
import type { Memory } from '../store/memory.ts';
import type { CompiledUsers, LinkedThemes } from '../model.ts';

/** The files of users: facts from earlier runs, and their keys, which are read when they are needed. */
export class UserFiles {
  /** Digest of everything that the mapping of keys to themes is made from; undefined if a file cannot be read. */
  readonly inputsDigest: string | undefined;
  readonly compiled: CompiledUsers;
  readonly #read: () => Promise<Users>;
  #open: Users | undefined;

  private constructor(
    inputsDigest: string | undefined,
    compiled: CompiledUsers,
    open: Users | undefined,
    read: () => Promise<Users>,
  ) {
    this.inputsDigest = inputsDigest;
    this.compiled = compiled;
    this.#open = open;
    this.#read = read;
  }

  /** Reads and checks the files of users, unless neither they nor the inputs of their checks have changed. */
  static async compile(
    { walk, settings: { site }, themes }: LinkedThemes,
    options: UsersOptions,
    memory: Memory,
    report: Report,
  ): Promise<UserFiles> {
    const { users, edgeOutDir, keySecret = '' } = options;
    const inputs = [
      ...walk.users.flatMap(({ file, path }) => [file, digestOf(path)]),
      users === undefined ? '' : users === '-' ? undefined : digestOf(users),
      users ?? '',
      [walk.slugs, themes.map(({ slug, id, is_default: isDefault }) => [slug, id, isDefault])],
      [site.identity, site.edge, site.mapping],
      edgeOutDir === undefined ? 'checked' : sha256Of(keySecret),
    ];
    const read = async (to: Report): Promise<Users> => {
      const { readAssignments } = await import('./read-assignments.ts');
      return readAssignments(options, walk, site, themes, to);
    };
    let open: Users | undefined;
    const compiled = await memory.memoize('users', inputs, report, async (within): Promise<CompiledUsers> => {
      open = await read(within);
      const { assigned, countsByTheme, mapping } = open;
      return { counts: mapping.counts, countsByTheme, assigned };
    });
    const inputsDigest = inputs.includes(undefined) ? undefined : sha256Of(JSON.stringify(inputs));
    return new UserFiles(inputsDigest, compiled, open, () => read(() => undefined));
  }

  /** Returns the mapping of keys to themes, after reading the files if necessary. */
  async open(): Promise<Users> {
    return (this.#open ??= await this.#read());
  }

  /** Forgets the keys; they are read again when they are needed. */
  release(): void {
    this.#open = undefined;
  }
}

function digestOf(file: string): string | undefined {
  const hashed = hashFile(file);
  return 'problem' in hashed ? undefined : hashed.sha256;
}
