import type { Diagnostic, Location } from '../diagnostics/diagnostic.ts';
import { fileOf } from './image-source.ts';
import type { AcceptedWarning, ThemeSource } from './theme-source.ts';

/**
 * Removes the warnings that themes accept, about the value of a field or the image file that the field refers to.
 * @returns also the entries of `accept` without a warning
 */
export function withoutAccepted(
  diagnostics: readonly Diagnostic[],
  sources: readonly ThemeSource[],
): { remaining: readonly Diagnostic[]; unused: AcceptedWarning[] } {
  const accepting = new Map(sources.flatMap((source) => (source.accepted ? [[folderOf(source), source]] : [])));
  const used = new Set<AcceptedWarning>();
  const remaining = diagnostics.filter(({ severity, code, location }) => {
    if (severity === 'error' || accepting.size === 0) return true;
    const source = foldersOf(location.file)
      .map((folder) => accepting.get(folder))
      .find((theme) => theme !== undefined);
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

/** Returns the folders that contain a file, innermost first. */
function foldersOf(file: string): string[] {
  const steps = file.split('/');
  return steps.slice(1).map((_, at) => steps.slice(0, steps.length - 1 - at).join('/'));
}

/** Checks whether a location is in the value of a field, or in the file that the field refers to. */
function isAbout(location: Location, source: ThemeSource, field: AcceptedWarning['field']): boolean {
  if (location.file === source.file) return fieldAt(source, location) === field;
  const value = source.fields[field];
  return typeof value === 'string' && location.file === source.file.replace(/[^/]*$/, fileOf(value));
}

/** Returns the field at a location in theme.yaml: the last field that starts before it. */
function fieldAt({ spans }: ThemeSource, { start }: Location): string | undefined {
  if (start === undefined) return undefined;
  const [last] = Object.entries(spans)
    .filter(([, [line, column]]) => line < start.line || (line === start.line && column <= start.column))
    .toSorted(([, [line, column]], [, [other, otherColumn]]) => other - line || otherColumn - column);
  return last?.[0].split('.')[0];
}
