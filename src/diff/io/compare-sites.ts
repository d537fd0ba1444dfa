import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { count, jsonText } from '../../diagnostics/quote.ts';
import { sha256Of } from '../../io/disk/files.ts';
import { blobId, git, lfsPointer, lfsTarget } from '../../io/git.ts';
import { compareDecoded } from '../../io/images/compare-decoded.ts';
import { breakingChanges, type Moves } from '../breaking.ts';
import { type Change, type Differences, differencesOf, pairsOf } from '../../changes/differences.ts';
import { noticesOf } from '../notices.ts';
import type { DiffReport } from '../report.ts';
import { defaultOf, type SiteState } from '../../changes/site-state.ts';
import { type Base, bytesOf, checkoutOfThemes, themesAt } from '../../changes/io/base.ts';
import {
  imageBytes,
  type Reading,
  readAdvice,
  readBase,
  readKeys,
  readPart,
  readState,
  withoutCache,
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
  const before = await readBase(base, themesDir, reading);
  const { state: after, read } = await readState(themesDir, reading);
  const differences = differencesOf(before, after);
  const wanted = foldersOf(differences, before);
  const folder = await base.folder((name) => !name.includes('/') || wanted.has(name.split('/', 1)[0] ?? ''));
  const folders = { before: folder, after: themesDir };
  const themes = await withPixels(differences.themes, folders, reading);
  const readBefore = await readPart(folder, await withoutCache(reading));
  const old = new Set([...before.diagnostics, ...(await readAdvice(readBefore, wanted, reading))].map(keyOf));
  const now = [...after.diagnostics, ...(await readAdvice(read, differences.changed, reading))];
  const warnings = [...new Map(now.map((one) => [keyOf(one), one])).values()].filter(isWarning);
  const added = warnings.filter((warning) => !old.has(keyOf(warning)));
  const errors = before.themes.length === 0 ? [] : before.diagnostics.filter((one) => !isWarning(one));
  const keysBefore = async (): Promise<Map<string, string>> =>
    readKeys(
      await base.folder((name) => /^[^/]*$|^users\/|\/theme\.yaml$/.test(name)),
      before,
      await withoutCache(reading),
    );
  const moves = await movesOf(before, after, keysBefore, () => readKeys(themesDir, after, reading));
  const report: DiffReport = {
    ...differences,
    themes,
    base: { label: base.label, commit: base.commit },
    head: await headOf(themesDir, base, differences, after),
    before,
    after,
    breaking: breakingChanges(before, after, moves),
    isAccepted,
    moves,
    warnings: added,
    oldWarnings: warnings.length - added.length,
    notes:
      errors.length === 0
        ? []
        : [`${base.label} has ${count(errors.length, 'error')}: a theme that cannot be read there counts as new.`],
  };
  return { report, folders };
}

const isWarning = ({ severity }: Diagnostic): boolean => severity === 'warning';

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
      const looked = { ...change, ...(change.images && (await lookOf(change.images, folders, decoders))) };
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
  if ([...themes].every(([one, other]) => one === other) && jsonText(before.userFiles) === jsonText(after.userFiles)) {
    const users = Object.values(before.counts).reduce((sum, { user, group }) => sum + user + group, 0);
    return { users, moved: 0, added: 0 };
  }
  const [old, now] = [await keysOf[0](), await keysOf[1]()];
  const fallback = defaultOf(after)?.slug;
  const moved = [...old].filter(([key, slug]) => themes.get(slug) !== (now.get(key) ?? fallback));
  const added = [...now.keys()].filter((key) => !old.has(key));
  return { users: old.size, moved: moved.length, added: added.length };
}

/**
 * What a report names the themes in a folder by: their commit, of a merge that a forge made of a pull request with its base that of the
 * pull request; the working tree if that has something else.
 */
async function headOf(
  themesDir: string,
  base: Base,
  { changed }: Differences,
  { themes, userFiles }: SiteState,
): Promise<DiffReport['head']> {
  const checkout = checkoutOfThemes(themesDir);
  const listed = checkout && (await git(checkout, 'rev-list', '--parents', '--max-count=1', 'HEAD'));
  const [commit, ...parents] = listed?.trim().split(' ') ?? [];
  const isBase = commit === base.commit && base.files.size > 0;
  const files = checkout && commit && (isBase ? base.files : await themesAt(commit, checkout, themesDir));
  if (!files) return { label: themesDir, commit: undefined };
  const users = userFiles.map(([file]) => file.split('/').slice(1).join('/'));
  const own = themes.flatMap(({ slug }) => (changed.has(slug) ? [`${slug}/theme.yaml`] : []));
  const others = [...files].flatMap(([name, { id, kind }]) => {
    const isOfChange = !name.includes('/') || changed.has(name.split('/', 1)[0] ?? '');
    return kind === 'file' && (isOfChange || id !== base.files.get(name)?.id) ? [name] : [];
  });
  for (const name of new Set([...own, ...users, ...others])) {
    const id = files.get(name)?.id ?? '';
    const bytes = await bytesOf(name, themesDir);
    const ids = bytes && [bytes, Buffer.from(lfsPointer(sha256Of(bytes), bytes.length))].map((one) => blobId(one, id));
    if (!ids?.includes(id)) return { label: 'the working tree', commit: undefined };
  }
  const named = (parents.length === 2 && parents[0] === base.commit && parents[1]) || commit;
  return { label: named?.slice(0, 7) ?? '', commit: named };
}
