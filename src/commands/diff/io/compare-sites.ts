import { isLfsPointer } from '../../../core/image/format.ts';
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts';
import { compact } from '../../../core/diagnostics/compact.ts';
import { count } from '../../../core/diagnostics/quote.ts';
import { compareDecoded } from '../../../system/decoder/compare-decoded.ts';
import { breakingChanges } from '../breaking.ts';
import { type Change, type Differences, differencesOf } from '../../changes/differences.ts';
import type { DiffReport } from '../report.ts';
import { type Base, bytesOf, headOf } from '../../changes/io/base.ts';
import { movesOf } from '../../changes/io/moves.ts';
import { type Reading, readState } from '../../changes/io/read-state.ts';

/** Compares the themes in a folder with a base. */
export async function compareSites(
  base: Base,
  themesDir: string,
  reading: Reading,
  isAccepted: boolean,
): Promise<DiffReport> {
  // The current themes first: unchanged themes of the base then need no compilation.
  const after = await readState(themesDir, reading);
  const before = await readState(base.themesDir, reading);
  const differences = differencesOf(before, after);
  const oldKeys = new Set(before.diagnostics.map(keyOf));
  const isNew = (diagnostic: Diagnostic): boolean => !oldKeys.has(keyOf(diagnostic));
  const warnings = after.diagnostics.filter((diagnostic) => isWarning(diagnostic) && isNew(diagnostic));
  const errors = before.themes.length === 0 ? [] : before.diagnostics.filter((diagnostic) => !isWarning(diagnostic));
  const moves = await movesOf(base, before, themesDir, after);
  return {
    ...differences,
    themes: await withRemarks(differences.themes, base, themesDir, reading.decoders),
    base: base.label,
    head: await headOf(themesDir),
    before,
    after,
    breaking: breakingChanges(before, after, moves),
    isAccepted,
    moves,
    warnings,
    notes: notesOf(base, errors),
  };
}

/** Explains why themes of a base cannot be compared. */
function notesOf({ label }: Base, errors: readonly Diagnostic[]): string[] {
  const missing = errors.filter(({ code }) => code === 'image/lfs-pointer').length;
  const remaining = errors.length - missing;
  return compact([
    missing > 0 &&
      `${count(missing, 'image')} of ${label} ${missing === 1 ? 'is' : 'are'} only in Git LFS: run \`git lfs install\`, and compare again. A theme that cannot be read there is reported as new.`,
    remaining > 0 && `${label} has ${count(remaining, 'error')}: a theme that cannot be read there is reported as new.`,
  ]);
}

const isWarning = ({ severity }: Diagnostic): boolean => severity === 'warning';

/** Returns a key that is equal for the same diagnostic on both sides, although lines move and the folders of the themes have other names. */
function keyOf({ code, location, message }: Diagnostic): string {
  return [code, location.file.replace(/^[^/]*/, ''), message].join('\n');
}

/** Adds remarks about pixels to the changes of themes. */
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
      const oldBytes = hasFiles ? await bytesOf(before.file, base.themesDir) : undefined;
      const newBytes = hasFiles ? await bytesOf(after.file, themesDir) : undefined;
      changes.push({
        ...change,
        ...(oldBytes && newBytes && (await imageRemark(oldBytes, newBytes, decoders))),
      });
    }
    result.push({ ...theme, changes });
  }
  return result;
}

async function imageRemark(before: Buffer, after: Buffer, decoders: Reading['decoders']): Promise<Partial<Change>> {
  if (isLfsPointer(before)) return { remark: 'not compared: Git LFS has the earlier file' };
  const { isEqual, difference, names } = await compareDecoded(before, after, { isThumbnail: false }, decoders);
  if (isEqual) return { remark: 're-encoded only' };
  const isSameSize = difference !== undefined || names[0] === names[1];
  return { remark: isSameSize ? 'looks different' : `${names.join(' → ')}, looks different` };
}
