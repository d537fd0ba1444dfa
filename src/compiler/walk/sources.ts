import { existsSync } from 'node:fs';
import path from 'node:path';
import { FileTable } from '../../system/disk/file-table.ts';
import { type Kind, listTree } from '../../system/disk/list-tree.ts';
import { THEME_FILE } from '../../core/theme/themes-folder.ts';

type Entry = readonly [name: string, kind: Kind];

/** Everything that one build reads in the themes folder, by the names, kinds and digests of its entries. */
export class Sources {
  readonly table: FileTable;
  readonly #themesDir: string;
  #entries: ReadonlyMap<string, Kind> | undefined;
  /** The entries at the top, and those below each of them. */
  readonly #byTop = new Map<string, Entry[]>();
  /** Folders that cannot be listed. */
  readonly #unreadable = new Set<string>();

  constructor(themesDir: string, table: FileTable) {
    this.table = table.root === path.resolve(themesDir) ? table : new FileTable(themesDir);
    this.table.begin();
    this.#themesDir = themesDir;
  }

  /** Lists everything at once. Otherwise, the folder of each theme is listed when it is asked for. */
  list(): ReadonlyMap<string, Kind> {
    if (this.#entries !== undefined) return this.#entries;
    this.#entries = listSources(this.#themesDir, (folder) => void this.#unreadable.add(folder));
    for (const entry of this.#entries) {
      const [top = ''] = entry[0].split('/', 1);
      const below = this.#byTop.get(top) ?? [];
      below.push(entry);
      this.#byTop.set(top, below);
    }
    return this.#entries;
  }

  /** Returns the names and kinds in the folder of a theme; nothing if a folder cannot be listed. */
  folder(slug: string): readonly Entry[] | undefined {
    if (this.#entries === undefined) return this.folderNow(slug);
    const entries = this.#byTop.get(slug) ?? [];
    return entries.some(([name]) => this.#unreadable.has(name)) ? undefined : entries.filter(([name]) => name !== slug);
  }

  /** Returns what {@link folder} would return if everything was listed again. */
  folderNow(slug: string): Entry[] | undefined {
    let isReadable = true;
    const entries = listTree(path.join(this.#themesDir, slug), {
      isIgnored: (name) => name.startsWith('.'),
      onError: () => (isReadable = false),
    });
    return isReadable ? [...entries].map(([name, kind]) => [`${slug}/${name}`, kind] as const) : undefined;
  }

  /** Reads the files at the top, which are compiled every time, so that their digests are those of the beginning. */
  readTop(): void {
    for (const [name, kind] of this.list())
      if (kind === 'file' && (!name.includes('/') || name.startsWith('users/'))) this.table.digest(name);
  }
}

/** Returns the entries of the themes folder that a build reads. */
export function listSources(themesDir: string, onError: (folder: string) => void = () => undefined): Map<string, Kind> {
  return listTree(themesDir, { isIgnored: (name, below) => isIgnored(name, below, themesDir), onError });
}

/** Whether a build ignores a name: it starts with a dot, and is no theme folder, which is an error. */
function isIgnored(name: string, below: string, themesDir: string): boolean {
  return name.startsWith('.') && (below !== '' || !existsSync(path.join(themesDir, name, THEME_FILE)));
}
