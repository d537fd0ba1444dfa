import { count, quote, visibleLines } from '../diagnostics/quote.ts';
import type { ImportResult } from '../import-themes.ts';
import type { FileOutcome } from '../io/import/write.ts';
import { conflictFields } from '../import/conflict.ts';
import { IMPORT_FOLDER } from '../io/import/store.ts';
import { invocation, shellWord } from '../io/invocation.ts';
import { slugOf } from '../theme/slug.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { cut, isNeeded, problemLines } from './import-problems.ts';
import { repeatedFlags } from './site-root.ts';

interface ReportOptions {
  themes: string;
  quiet: boolean;
  'dry-run': boolean;
  /** What was done around the themes, in lines. */
  values: readonly string[];
  /** The URL or the file that was imported. */
  source: string;
}

/** What an import prints. @returns the text, and whether everything was taken over */
export function importReport(result: ImportResult, options: ReportOptions): { text: string; isComplete: boolean } {
  const { plan, refused, clashes, isEmpty } = result;
  const problems = [...emptyLines(result), ...cut(clashLines(result)), ...problemLines(result), ...keptLines(result)];
  const gaps = new Set(refused.map(({ slug }) => slug));
  for (const theme of plan.themes) if (theme.refused.some(({ field }) => isNeeded(field))) gaps.add(theme.slug);
  const conflicts = numberOf(result, 'edited') + numberOf(result, 'yours');
  const isComplete = !isEmpty && [plan.unusable.length, clashes.length, gaps.size, conflicts].every((n) => n === 0);
  const summary = options['dry-run']
    ? dryRunLines(result)
    : [...summaryLines(result, options.values), lastLine(result, options, { gaps: gaps.size, conflicts, isComplete })];
  const lines = [
    ...(options.quiet ? [] : summary),
    ...(problems.length > 0 && !options.quiet ? ['', ...problems] : problems),
    ...(options.quiet ? [] : ['', ...nextLines(options, isComplete, result)]),
  ];
  return { text: lines.length === 0 ? '' : `${visibleLines(lines.join('\n'))}\n`, isComplete };
}

function numberOf({ files }: ImportResult, outcome: FileOutcome): number {
  return [...files.values()].filter((one) => one === outcome).length;
}

function dryRunLines({ plan, pages, images }: ImportResult): string[] {
  return [
    `list      ${count(plan.themes.length, 'theme')}, ${count(pages, 'page')}`,
    ...cut(plan.themes.map(({ id, slug, name }) => `theme     ${id} ${quote(name ?? '')} → themes/${slug}/`)),
    `images    ${images.all}, not fetched`,
  ];
}

function summaryLines(result: ImportResult, values: readonly string[]): string[] {
  const { plan, pages, images, refused, clashes, gone, converted, redirects } = result;
  const number = (outcome: FileOutcome): number => numberOf(result, outcome);
  const failed = refused.filter(({ file }) => file === undefined).length;
  const parts = [`${images.fetched} fetched`, `${images.unchanged} unchanged`];
  if (images.retries > 0) parts.push(`${count(images.retries, 'request')} sent again`);
  const theDefault = plan.themes.find(({ isDefault }) => isDefault);
  const all = plan.themes.length + plan.unusable.length + clashes.filter(({ isSameId }) => isSameId).length;
  const left = number('edited') + number('yours') + number('deleted');
  return [
    `list      ${count(all, 'theme')}, ${count(pages, 'page')}${theDefault === undefined ? '' : `; the default is ${quote(theDefault.name ?? '')} (id ${theDefault.id})`}`,
    `images    ${images.all}: ${parts.join(', ')}${failed === 0 ? '' : `, ${failed} not fetched`}`,
    `files     ${number('written')} written, ${number('updated')} updated, ${number('unchanged')} unchanged, ${left} left as they are here`,
    ...updatedLines(result),
    ...cut(folderLines(result)),
    ...values,
    ...redirectLines(redirects),
    ...cut(
      converted.map(
        ({ file, what, before, after }) =>
          `repaired  themes/${file}: ${what} (${before.slice(0, 12)} → ${after.slice(0, 12)})`,
      ),
    ),
    ...cut(
      gone.map(
        ({ slug, id }) =>
          `gone      themes/${slug}/ (${id}): deleted at the service. Delete the folder too; users who have it get the default.`,
      ),
    ),
  ];
}

/** Files that are named in one line. */
const MAX_NAMED = 10;

function named(files: readonly string[]): string {
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : '';
  return `${files
    .slice(0, MAX_NAMED)
    .map((file) => `themes/${file}`)
    .join(', ')}${more}`;
}

function updatedLines({ files }: ImportResult): string[] {
  const updated = [...files].flatMap(([file, outcome]) => (outcome === 'updated' ? [file] : []));
  return updated.length === 0 ? [] : [`updated   ${named(updated)}`];
}

/** New folders that are not named after their themes. */
function folderLines({ plan, files }: ImportResult): string[] {
  return plan.themes.flatMap(({ id, slug, name = '' }) =>
    files.get(`${slug}/${THEME_FILE}`) === 'written' && slug !== slugOf(name)
      ? [`folder    themes/${slug}/ is theme ${id}, ${quote(name)}`]
      : [],
  );
}

function lastLine(
  result: ImportResult,
  { values }: ReportOptions,
  { gaps, conflicts, isComplete }: { gaps: number; conflicts: number; isComplete: boolean },
): string {
  const { plan, clashes } = result;
  const changed = numberOf(result, 'written') + numberOf(result, 'updated') + values.length;
  if (isComplete && changed === 0 && plan.themes.length > 0) return '✔ nothing has changed';
  const parts = [
    `${isComplete ? '✔' : '✘'} ${count(plan.themes.length - gaps, 'theme')} imported`,
    ...(gaps === 0 ? [] : [`${gaps} incomplete`]),
    ...(plan.unusable.length === 0 ? [] : [`${plan.unusable.length} unusable`]),
    ...(clashes.length === 0 ? [] : [`${clashes.length} in the place of another`]),
    ...(conflicts === 0 ? [] : [`${count(conflicts, 'file')} left as they are here`]),
  ];
  return parts.join(', ');
}

function clashLines({ clashes }: ImportResult): string[] {
  return clashes.map(({ slug, id, isSameId, there }) => {
    const name = quote(there.name ?? 'a theme without a name');
    return isSameId
      ? `✘ themes/${slug}/ has id ${id}, which is ${name} at the service. Delete that folder if it is not needed, or give it another id.`
      : `✘ themes/${slug}/ is the default theme, which is ${name} (id ${there.id}) at the service. Delete that folder if it is not needed, or its \`is_default\`.`;
  });
}

function redirectLines({ written, refused }: ImportResult['redirects']): string[] {
  if (written + refused === 0) return [];
  const left = refused === 0 ? '' : `; ${count(refused, 'other')} cannot be redirected`;
  return [`moved     themes/redirects.csv: ${count(written, 'old path')} of images, which hosts redirect${left}`];
}

function emptyLines({ isEmpty }: ImportResult): string[] {
  return isEmpty
    ? ['✘ The list is empty, so nothing was written. Check the URL, and that the credentials show all themes.']
    : [];
}

function keptLines(result: ImportResult): string[] {
  const { files, isRecordLost } = result;
  const yours = [...files].flatMap(([file, outcome]) => (outcome === 'yours' ? [file] : []));
  const isOneLine = isRecordLost && yours.length > 0;
  return [
    ...(isOneLine
      ? [
          `! ${IMPORT_FOLDER}/ is not here, so it is not known who changed these files: ${named(yours)}.`,
          '    They stay as they are here. Bring that folder back from where the first import ran, or delete the files and run the import again.',
        ]
      : []),
    ...cut(
      [...files].flatMap(([file, outcome]) => {
        const reason = outcome === 'yours' && isOneLine ? undefined : KEPT[outcome];
        return reason === undefined ? [] : [`! themes/${file} ${reason}${conflictText(file, result)}`];
      }),
    ),
  ];
}

const TAKE_THEIRS = 'it stays as it is here. To take that of the service, delete the file and run the import again.';
const KEPT: Partial<Record<FileOutcome, string>> = {
  edited: `was edited here, and has changed at the service: ${TAKE_THEIRS}`,
  yours: `was here before, with other content: ${TAKE_THEIRS}`,
  deleted: 'was deleted here, and is not written again',
};

function conflictText(file: string, { conflicts }: ImportResult): string {
  const conflict = conflicts.get(file);
  const fields = conflict === undefined ? [] : conflictFields(conflict);
  return fields.map((field) => `\n    ${field}`).join('');
}

function nextLines(
  { themes, source, ...options }: ReportOptions,
  isComplete: boolean,
  { plan }: ImportResult,
): string[] {
  if (plan.themes.length === 0 && isComplete) return ['The list is empty.'];
  if (options['dry-run']) return ['Nothing was written. Run it without --dry-run.'];
  if (!isComplete) return ['Correct what is listed above, and run the same command again.'];
  const flags = repeatedFlags({ themes });
  const compare = /^https?:/i.test(source)
    ? [`  ${invocation('compare', [shellWord(source)])}   # shows what differs`]
    : [];
  return [
    'Next:',
    `  ${invocation('dev', flags)}     # the themes in the browser`,
    `  ${invocation('build', flags)}   # publishes them`,
    ...compare,
  ];
}
