import type { Report } from '../diagnostics/diagnostic.ts';
import { sha256Of } from '../disk/files.ts';
import type { UsersOptions } from './read-assignments.ts';
import type { Users } from '../users/io/read-users.ts';
import { settledIdentity } from './fingerprints.ts';
import type { Memory } from './memory.ts';
import type { CompiledUsers, LinkedThemes } from './model.ts';

/** The files of users: what is known of them without reading them again, and their keys once they are needed. */
export class UserFiles {
  /** Identifies all that the mapping of keys to themes is made of; nothing if that is not known. */
  readonly key: string | undefined;
  readonly compiled: CompiledUsers;
  readonly #read: () => Promise<Users>;
  #open: Users | undefined;

  private constructor(
    key: string | undefined,
    compiled: CompiledUsers,
    open: Users | undefined,
    read: () => Promise<Users>,
  ) {
    this.key = key;
    this.compiled = compiled;
    this.#open = open;
    this.#read = read;
  }

  /** Reads and checks the files of users, unless neither they have changed nor what they are checked against. */
  static async compile(
    { walk, settings: { site }, themes }: LinkedThemes,
    options: UsersOptions,
    memory: Memory,
    report: Report,
  ): Promise<UserFiles> {
    const { users, edgeOutDir, keySecret = '' } = options;
    const inputs = [
      // Not by content: there may be gigabytes of them.
      ...walk.users.flatMap(({ file, path }) => [file, settledIdentity(path)]),
      users === undefined ? '' : users === '-' ? undefined : settledIdentity(users),
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
    const key = inputs.includes(undefined) ? undefined : sha256Of(JSON.stringify(inputs));
    return new UserFiles(key, compiled, open, () => read(() => undefined));
  }

  /** The mapping of keys to themes; the files are read again if they have not been. */
  async open(): Promise<Users> {
    return (this.#open ??= await this.#read());
  }

  /** Releases what was spilled. */
  close(): void {
    this.#open?.close();
    this.#open = undefined;
  }
}
