import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { count } from '../../diagnostics/quote.ts';
import { git } from '../../io/git.ts';
import { lfsTarget } from '../../io/git.ts';
import { compareDecoded } from '../../io/images/compare-decoded.ts';
import { IncrementalCache } from '../../io/incremental/incremental-cache.ts';
import { breakingChanges, type Moves } from '../breaking.ts';
import { type Change, type Differences, differencesOf, pairsOf } from '../../changes/differences.ts';
import { noticesOf } from '../notices.ts';
import type { DiffReport } from '../report.ts';
import { defaultOf, type SiteState } from '../../changes/site-state.ts';
import { type Base, openLastCommit } from '../../changes/io/base.ts';
import {
  bytesOf,
  imageBytes,
  type Reading,
  readAdvice,
  readBase,
  readKeys,
  readPart,
  readState,
} from '../../changes/io/read-state.ts';

/** The folders of the themes on both sides. */
export interface Folders {
  before: string;
  after: string;
}

/** Compares the themes in a folder with a base. */
export async function compareSites(
  base: Base,
  themesDir: string,
  reading: Reading,
  isAccepted: boolean,
): Promise<{ report: DiffReport; folders: Folders }> {
  const elsewhere = async (): Promise<Reading> => ({ ...reading, incremental: await IncrementalCache.open() });
  const before = await readBase(base, themesDir, reading);
  const { state: after, read } = await readState(themesDir, reading);
  const differences = differencesOf(before, after);
  const wanted = foldersOf(differences, before);
  const isWanted = (name: string): boolean => !name.includes('/') || wanted.has(name.split('/', 1)[0] ?? '');
  const folders = { before: await base.folder(isWanted), after: themesDir };
  const looked = await withPixels(differences.themes, folders, reading);
  const advised = await Promise.all([
    readAdvice(await readPart(folders.before, await elsewhere()), wanted, reading, reading.incremental),
    readAdvice(read, differences.changed, reading, reading.incremental),
  ]);
  const old = new Set([...before.diagnostics, ...advised[0]].map(keyOf));
  const now = [...new Map([...after.diagnostics, ...advised[1]].map((one) => [keyOf(one), one])).values()];
  const warnings = now.filter(({ severity }) => severity === 'warning');
  const errors = before.diagnostics.filter(({ severity }) => severity === 'error').length;
  const hasErrors = before.themes.length > 0 && errors > 0;
  const keysBefore = async (): Promise<Map<string, string>> =>
    readKeys(await base.folder((name) => /^[^/]*$|^users\/|\/theme\.yaml$/.test(name)), before, await elsewhere());
  const moves = await movesOf(before, after, keysBefore, () => readKeys(themesDir, after, reading));
  const report: DiffReport = {
    ...differences,
    themes: looked,
    base: { label: base.label, commit: base.commit },
    head: await headOf(themesDir, base, differences, after),
    before,
    after,
    breaking: breakingChanges(before, after, moves),
    isAccepted,
    moves,
    warnings: warnings.filter((warning) => !old.has(keyOf(warning))),
    oldWarnings: warnings.filter((warning) => old.has(keyOf(warning))).length,
    notes: hasErrors
      ? [`${base.label} has ${count(errors, 'error')}: a theme that cannot be read there counts as new.`]
      : [],
  };
  return { report, folders };
}

/** A diagnostic without its line: lines move. */
function keyOf({ code, location, message }: Diagnostic): string {
  return [code, location.file, message].join('\n');
}

/** The folders of the base that have the files of what changes: of the themes, what they extend, and their images. */
function foldersOf({ themes, changed }: Differences, { authored, themes: all }: SiteState): Set<string> {
  const slugs = new Set([...changed, ...themes.flatMap(({ before }) => before?.slug ?? [])]);
  for (const slug of slugs) {
    const parent = authored[slug]?.parent;
    if (parent !== undefined) slugs.add(parent);
  }
  const images = all.filter(({ slug }) => slugs.has(slug)).flatMap((theme) => Object.values(theme.images));
  return new Set([...slugs, ...images.flatMap((source) => ('slug' in source ? [source.slug] : []))]);
}

/** The changes of themes, with what their pixels show. */
async function withPixels(
  themes: Differences['themes'],
  folders: Folders,
  { decoders }: Reading,
): Promise<Differences['themes']> {
  const result = [];
  for (const theme of themes) {
    const changes: Change[] = [];
    for (const change of theme.changes) {
      const looks = change.images === undefined ? {} : await lookOf(change.images, folders, decoders);
      const looked = { ...change, ...looks };
      changes.push({ ...looked, notices: noticesOf(looked, theme) });
    }
    result.push({ ...theme, changes });
  }
  return result;
}

async function lookOf(
  { before, after }: NonNullable<Change['images']>,
  folders: Folders,
  decoders: Reading['decoders'],
): Promise<Partial<Change>> {
  const [one, other] = [await imageBytes(before, folders.before), await imageBytes(after, folders.after)];
  if (one === undefined || other === undefined) return {};
  if (lfsTarget(one) !== undefined) return { remark: 'not compared: Git LFS has the earlier file' };
  const { isEqual, difference, names } = await compareDecoded(one, other, { isThumbnail: false }, decoders);
  if (isEqual) return { isReencoded: true, remark: 're-encoded only' };
  const isSameSize = difference !== undefined || names[0] === names[1];
  return { remark: isSameSize ? 'looks different' : `${names.join(' → ')}, looks different` };
}

/** How many users and groups get another theme, of those that had one of their own; nothing if no file names any. */
async function movesOf(
  before: SiteState,
  after: SiteState,
  ...keysOf: readonly [before: () => Promise<Map<string, string>>, after: () => Promise<Map<string, string>>]
): Promise<Moves | undefined> {
  if (before.userFiles.length === 0) return undefined;
  const themes = new Map(pairsOf(before, after).map(([one, other]) => [one?.slug, other?.slug]));
  const isSame = [...themes].every(([one, other]) => one === other);
  if (isSame && JSON.stringify(before.userFiles) === JSON.stringify(after.userFiles)) {
    const users = Object.values(before.counts).reduce((sum, { user, group }) => sum + user + group, 0);
    return { users, moved: 0, added: 0 };
  }
  const keys = [await keysOf[0](), await keysOf[1]()] as const;
  const fallback = defaultOf(after)?.slug;
  const moved = [...keys[0]].filter(([key, slug]) => themes.get(slug) !== (keys[1].get(key) ?? fallback));
  const added = [...keys[1].keys()].filter((key) => !keys[0].has(key));
  return { users: keys[0].size, moved: moved.length, added: added.length };
}

/**
 * What a report names the themes in a folder by: their commit, of a merge that a forge made of a pull request with its base that of the
 * pull request; the working tree if that has something else.
 */
async function headOf(
  themesDir: string,
  base: Base,
  { changed }: Differences,
  after: SiteState,
): Promise<DiffReport['head']> {
  const last = await openLastCommit(themesDir);
  if (last?.commit === undefined) return { label: themesDir, commit: undefined };
  try {
    const { files, commit } = last;
    const users = after.userFiles.map(([file]) => file.split('/').slice(1).join('/'));
    const own = after.themes.flatMap(({ slug }) => (changed.has(slug) ? [`${slug}/theme.yaml`] : []));
    const isRead = (name: string): boolean =>
      !name.includes('/') ||
      changed.has(name.split('/', 1)[0] ?? '') ||
      users.includes(name) ||
      files.get(name)?.id !== base.files.get(name)?.id;
    const folder = await last.folder(isRead);
    for (const name of new Set([...own, ...users, ...[...files.keys()].filter(isRead)])) {
      const [old, now] = [await bytesOf(name, folder), await bytesOf(name, themesDir)];
      if (files.get(name)?.kind !== 'link' && (old === undefined || now === undefined || !old.equals(now)))
        return { label: 'the working tree', commit: undefined };
    }
    const text = await git(themesDir, 'cat-file', 'commit', commit);
    const parents = [...(text ?? '').matchAll(/^parent ([0-9a-f]+)$/gm)];
    const named = (parents.length === 2 && parents[0]?.[1] === base.commit ? parents[1]?.[1] : undefined) ?? commit;
    return { label: named.slice(0, 7), commit: named };
  } finally {
    await last.close();
  }
}
