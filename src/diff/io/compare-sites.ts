import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { compact } from '../../diagnostics/compact.ts';
import { count, jsonText } from '../../diagnostics/quote.ts';
import { git, isBlob, lfsTarget, unixLines } from '../../io/git.ts';
import { compareDecoded } from '../../io/decoder/compare-decoded.ts';
import { breakingChanges, type Moves } from '../breaking.ts';
import { type Change, type Differences, differencesOf, pairsOf } from '../../changes/differences.ts';
import { contrastRemark } from '../contrast.ts';
import type { DiffReport } from '../report.ts';
import { defaultOf, type SiteState } from '../../changes/site-state.ts';
import { type Base, bytesAt, bytesOf, checkoutOfThemes, themesAt } from '../../changes/io/base.ts';
import { type Reading, readBase, readKeys, readState } from '../../changes/io/read-state.ts';

/** Compares the themes in a folder with a base. */
export async function compareSites(
  base: Base,
  themesDir: string,
  reading: Reading,
  isAccepted: boolean,
): Promise<DiffReport> {
  // Of the base, what differs is compiled.
  const after = await readState(themesDir, reading);
  const before = await readBase(base, themesDir, reading);
  const differences = differencesOf(before, after);
  const old = new Set(before.diagnostics.map(keyOf));
  const warnings = after.diagnostics.filter((one) => isWarning(one) && !old.has(keyOf(one)));
  const errors = before.themes.length === 0 ? [] : before.diagnostics.filter((one) => !isWarning(one));
  const moves = await movesOf(base, before, themesDir, after);
  return {
    ...differences,
    themes: await withRemarks(differences.themes, base, themesDir, reading.decoders),
    base: { label: base.label, commit: base.commit },
    head: await headOf(themesDir, base, differences, after),
    before,
    after,
    breaking: breakingChanges(before, after, moves),
    isAccepted,
    moves,
    warnings,
    notes: notesOf(base, errors),
  };
}

/** Why some of a base cannot be compared. */
function notesOf({ label, commit }: Base, errors: readonly Diagnostic[]): string[] {
  const missing = errors.filter(({ code }) => code === 'image/lfs-pointer').length;
  const remaining = errors.length - missing;
  return compact([
    missing > 0 &&
      `${count(missing, 'image')} of ${label} ${missing === 1 ? 'is' : 'are'} in Git LFS, and not here: run \`git lfs fetch origin ${commit?.slice(0, 7)}\`, and compare again. A theme that cannot be read there counts as new.`,
    remaining > 0 && `${label} has ${count(remaining, 'error')}: a theme that cannot be read there counts as new.`,
  ]);
}

const isWarning = ({ severity }: Diagnostic): boolean => severity === 'warning';

/** A diagnostic without its line: lines move. */
function keyOf({ code, location, message }: Diagnostic): string {
  return [code, location.file, message].join('\n');
}

/** The changes of themes, with what their pixels and colours show. */
async function withRemarks(
  themes: Differences['themes'],
  base: Base,
  themesDir: string,
  decoders: Reading['decoders'],
): Promise<Differences['themes']> {
  const result = [];
  for (const theme of themes) {
    const changes: Change[] = [];
    for (const change of theme.changes) {
      const { before, after } = { before: undefined, after: undefined, ...change.images };
      const hasFiles = before !== undefined && 'file' in before && after !== undefined && 'file' in after;
      const old = hasFiles ? await bytesAt(base, before.file) : undefined;
      const now = hasFiles ? await bytesOf(after.file, themesDir) : undefined;
      // A checkout on Windows has other line ends than the commit.
      if (old !== undefined && now !== undefined && old.equals(unixLines(now))) continue;
      changes.push({ ...change, ...(old && now ? await lookOf(old, now, decoders) : contrastRemark(change, theme)) });
    }
    if (changes.length > 0 || theme.changes.length === 0) result.push({ ...theme, changes });
  }
  return result;
}

async function lookOf(before: Buffer, after: Buffer, decoders: Reading['decoders']): Promise<Partial<Change>> {
  if (lfsTarget(before) !== undefined) return { remark: 'not compared: Git LFS has the earlier file' };
  const { isEqual, difference, names } = await compareDecoded(before, after, { isThumbnail: false }, decoders);
  if (isEqual) return { remark: 're-encoded only' };
  const isSameSize = difference !== undefined || names[0] === names[1];
  return { remark: isSameSize ? 'looks different' : `${names.join(' → ')}, looks different` };
}

/** How many users and groups get another theme, of those that had one of their own; nothing if no file names any. */
async function movesOf(base: Base, before: SiteState, themesDir: string, after: SiteState): Promise<Moves | undefined> {
  if (before.userFiles.length === 0) return undefined;
  const themes = new Map(pairsOf(before, after).map(([one, other]) => [one?.slug, other?.slug]));
  if ([...themes].every(([one, other]) => one === other) && jsonText(before.userFiles) === jsonText(after.userFiles)) {
    const users = Object.values(before.counts).reduce((sum, { user, group }) => sum + user + group, 0);
    return { users, moved: 0, added: 0 };
  }
  const texts = await base.folder((name) => /^[^/]*$|^users\/|\/theme\.yaml$/.test(name));
  const [old, now] = [await readKeys(texts, before), await readKeys(themesDir, after)];
  const fallback = defaultOf(after)?.slug;
  const moved = [...old].filter(([key, slug]) => themes.get(slug) !== (now.get(key) ?? fallback));
  const added = [...now.keys()].filter((key) => !old.has(key));
  return { users: old.size, moved: moved.length, added: added.length };
}

/**
 * What a report names the themes in a folder by: their commit, of a merge that a forge made of a pull request with its base that of the
 * pull request; the working tree if that has something else in what changes.
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
  const files = checkout && commit && (await themesAt(commit, checkout, themesDir));
  if (!files) return { label: themesDir, commit: undefined };
  const names = [
    ...userFiles.map(([file]) => file.split('/').slice(1).join('/')),
    ...themes.flatMap(({ slug }) => (changed.has(slug) ? [`${slug}/theme.yaml`] : [])),
    ...[...files].flatMap(([name, { kind }]) => {
      const isOfChange = !name.includes('/') || changed.has(name.split('/', 1)[0] ?? '');
      return kind === 'file' && isOfChange ? [name] : [];
    }),
  ];
  for (const name of new Set(names)) {
    const bytes = await bytesOf(name, themesDir);
    if (bytes === undefined || !isBlob(bytes, files.get(name)?.id ?? ''))
      return { label: 'the working tree', commit: undefined };
  }
  const named = (parents.length === 2 && parents[0] === base.commit && parents[1]) || commit;
  return { label: named?.slice(0, 7) ?? '', commit: named };
}
