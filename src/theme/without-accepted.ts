import type { Diagnostic, Location } from '../diagnostics/diagnostic.ts';
import { fileOf } from './image-source.ts';
import type { Accepted, ThemeSource } from './theme-source.ts';

/**
 * Leaves out the warnings that themes accept: those about the value of a field, or the file that it names.
 * @returns also the entries of `accept` for which there is no warning
 */
export function withoutAccepted(
  diagnostics: readonly Diagnostic[],
  sources: readonly ThemeSource[],
): { remaining: readonly Diagnostic[]; unused: Accepted[] } {
  const accepting = new Map(sources.flatMap((source) => (source.accepted ? [[folderOf(source), source]] : [])));
  const used = new Set<Accepted>();
  const remaining = diagnostics.filter(({ severity, code, location }) => {
    if (severity === 'error' || accepting.size === 0) return true;
    const source = foldersOf(location.file)
      .map((folder) => accepting.get(folder))
      .find((one) => one !== undefined);
    const matches = (source?.accepted ?? []).filter(
      (entry) => source !== undefined && entry.code === code && isAbout(location, source, entry.field),
    );
    for (const entry of matches) used.add(entry);
    return matches.length === 0;
  });
  return {
    remaining,
    unused: [...accepting.values()].flatMap(({ accepted = [] }) => accepted).filter((entry) => !used.has(entry)),
  };
}

function folderOf({ file }: ThemeSource): string {
  return file.slice(0, file.lastIndexOf('/'));
}

/** The folders that a file is in, innermost first. */
function foldersOf(file: string): string[] {
  const steps = file.split('/');
  return steps.slice(1).map((_, at) => steps.slice(0, steps.length - 1 - at).join('/'));
}

/** Whether a place is in the value of a field, or in the file that the field names. */
function isAbout(location: Location, source: ThemeSource, field: Accepted['field']): boolean {
  if (location.file === source.file) return fieldAt(source, location) === field;
  const value = source.fields[field];
  return typeof value === 'string' && location.file === source.file.replace(/[^/]*$/, fileOf(value));
}

/** The field whose value a place in theme.yaml is in: the last one that starts before it. */
function fieldAt({ spans }: ThemeSource, { start }: Location): string | undefined {
  if (start === undefined) return undefined;
  const [last] = Object.entries(spans)
    .filter(([, [line, column]]) => line < start.line || (line === start.line && column <= start.column))
    .toSorted(([, [line, column]], [, [other, otherColumn]]) => other - line || otherColumn - column);
  return last?.[0].split('.')[0];
}
