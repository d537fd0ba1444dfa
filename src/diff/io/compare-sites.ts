import path from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { count } from '../../diagnostics/quote.ts';
import { checkoutOf } from '../../io/disk/tracked.ts';
import { git } from '../../io/git.ts';
import { lfsTarget } from '../../io/git.ts';
import { compareDecoded } from '../../io/images/compare-decoded.ts';
import { IncrementalCache } from '../../io/incremental/incremental-cache.ts';
import { breakingChanges, type Moves } from '../breaking.ts';
import { type Change, type Differences, differencesOf } from '../../changes/differences.ts';
import { noticesOf } from '../notices.ts';
import type { DiffReport } from '../report.ts';
import { defaultOf, type SiteState } from '../../changes/site-state.ts';
import type { Base } from '../../changes/io/base.ts';
import {
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
    head: await headOf(themesDir, base.commit),
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
  const idsOf = ({ themes }: SiteState): Map<string, number> => new Map(themes.map(({ slug, id }) => [slug, id]));
  const [old, now] = [idsOf(before), idsOf(after)];
  const isSame = [...old].every(([slug, id]) => now.get(slug) === id);
  if (isSame && JSON.stringify(before.userFiles) === JSON.stringify(after.userFiles)) {
    const users = Object.values(before.counts).reduce((sum, { user, group }) => sum + user + group, 0);
    return { users, moved: 0, added: 0 };
  }
  const keys = [await keysOf[0](), await keysOf[1]()] as const;
  const fallback = defaultOf(after)?.id;
  const moved = [...keys[0]].filter(([key, slug]) => old.get(slug) !== (now.get(keys[1].get(key) ?? '') ?? fallback));
  const added = [...keys[1].keys()].filter((key) => !keys[0].has(key));
  return { users: keys[0].size, moved: moved.length, added: added.length };
}

/** The commit of the themes: of a merge that a forge made of a pull request with its base, that of the pull request. */
async function headOf(themesDir: string, base: string | undefined): Promise<DiffReport['head']> {
  const checkout = checkoutOf(path.dirname(path.resolve(themesDir)));
  const head = checkout && (await git(checkout, 'rev-parse', '--verify', '--quiet', 'HEAD'))?.trim();
  if (checkout === undefined || head === undefined) return { label: themesDir, commit: undefined };
  const parents = [...((await git(checkout, 'cat-file', 'commit', head)) ?? '').matchAll(/^parent ([0-9a-f]+)$/gm)];
  const commit = parents.length === 2 && parents[0]?.[1] === base ? parents[1]?.[1] : head;
  return { label: 'the working tree', commit };
}
