import { type Location, place, type Report } from '../diagnostics/diagnostic.ts';
import { highestId } from './next-id.ts';
import { placeIn, type ThemeSource } from './theme-source.ts';

export function checkIds(sources: readonly ThemeSource[], report: Report): void {
  const owners = new Map<number, ThemeSource>();
  let maxId = highestId(sources);
  for (const source of sources) {
    const { id } = source.fields;
    if (id === undefined) continue;
    const owner = owners.get(id);
    if (owner === undefined) owners.set(id, source);
    else
      report('theme/duplicate-id', placeIn(source, 'id'), {
        id,
        other: place(placeIn(owner, 'id')),
        free: ++maxId,
      });
  }
}

/**
 * Reports a missing default theme, and every default theme after the first.
 * @param all - whether every theme could be parsed: otherwise the default theme may be among the rest
 */
export function checkDefault(sources: readonly ThemeSource[], all: boolean, report: Report): void {
  const [first, ...duplicates] = sources.filter(({ fields }) => fields.is_default === true);
  const placeOf = (source: ThemeSource): Location => placeIn(source, 'is_default');
  for (const source of duplicates)
    report('theme/second-default', placeOf(source), { other: first === undefined ? '' : place(placeOf(first)) });
  const [any] = sources;
  if (
    first === undefined &&
    all &&
    any !== undefined &&
    !sources.some(({ invalid }) => invalid.includes('is_default'))
  ) {
    report('theme/no-default', placeIn(any), {});
  }
}
