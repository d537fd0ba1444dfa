import type { PlannedTheme } from '../../import/plan-themes.ts';
import { newTheme } from '../../scaffold/new-theme.ts';
import type { ThemeSource } from '../../theme/theme-source.ts';
import { ContainedFolder } from '../output/contained-folder.ts';
import type { ImportStore } from './store.ts';

/** A theme that is here, and the one of the service that it would be mixed with. */
export interface Clash {
  slug: string;
  id: number;
  /** Whether they share the id; else both are the default. */
  isSameId: boolean;
  there: { id: number; name: string | undefined };
}

/** What an import makes of the themes that were here before it. */
export interface Existing {
  /** Placeholders that nothing was changed in: the themes of the service take their place. */
  replaced: readonly string[];
  clashes: readonly Clash[];
}

/** Greatest size of a file of a placeholder theme, in bytes. */
const MAX_BYTES = 64 * 1024;

/** Compares the themes that are here with those of the service. */
export async function examineExisting(
  sources: readonly ThemeSource[],
  planned: readonly PlannedTheme[],
  themesDir: string,
  store: ImportStore | undefined,
): Promise<Existing> {
  const dir = new ContainedFolder(themesDir);
  const byId = new Map(planned.map((theme) => [theme.id, theme]));
  const theDefault = planned.find(({ isDefault }) => isDefault);
  const replaced: string[] = [];
  const clashes: Clash[] = [];
  for (const source of sources) {
    const { slug, fields } = source;
    const { id, is_default: isDefault } = fields;
    if (id === undefined || store?.knowsFile(`${slug}/theme.yaml`) === true) continue;
    const sameId = byId.get(id);
    const there = sameId ?? (isDefault === true ? theDefault : undefined);
    if (there === undefined) continue;
    if (await isPlaceholderTheme(source, dir)) replaced.push(slug);
    // A theme of the same name is most probably that of an import whose record is lost.
    else if (sameId === undefined || fields.name !== sameId.name)
      clashes.push({ slug, id, isSameId: sameId !== undefined, there: { id: there.id, name: there.name } });
  }
  return { replaced, clashes };
}

/** Whether a folder is exactly what `init` or `new` makes, without a logo or a colour. */
async function isPlaceholderTheme({ slug, fields }: ThemeSource, dir: ContainedFolder): Promise<boolean> {
  const { id, name, is_default: isDefault = false } = fields;
  if (id === undefined || name === undefined) return false;
  const { files } = newTheme({ id, name, isDefault, parent: undefined, logo: undefined, palette: undefined });
  const found = await dir.list(slug);
  if (found.length !== files.size) return false;
  for (const [file, content] of files) {
    const bytes = await dir.read(`${slug}/${file}`, MAX_BYTES).catch(() => undefined);
    if (bytes?.equals(Buffer.from(content)) !== true) return false;
  }
  return true;
}
