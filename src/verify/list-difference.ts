import { firstOf, printable } from '../diagnostics/quote.ts';
import type { ThemeRecord } from '../document/record.ts';
import type { Build } from '../hosts/published-build.ts';

/** Themes named of each kind of difference. */
const NAMED = 3;

/**
 * How the themes of a live list differ from those of the build.
 * @param base - where its images are, if nothing else differs: see `otherBase`
 */
export function difference({ list, rules }: Build, live: readonly ThemeRecord[], base: string | undefined): string {
  if (base !== undefined) return `; its images are at ${printable(base)}, those of this build at ${rules.baseUrl}`;
  const textsOf = (records: readonly ThemeRecord[]): Map<number, string> =>
    new Map(records.map((record) => [record.id, JSON.stringify(record)]));
  const [there, here] = [textsOf(live), textsOf(list)];
  const kinds = [
    ['missing', list.filter(({ id }) => !there.has(id))],
    ['unknown here', live.filter(({ id }) => !here.has(id))],
    ['different', list.filter(({ id }) => there.has(id) && there.get(id) !== here.get(id))],
  ] as const;
  const parts = kinds.flatMap(([word, records]) => {
    const names = records.map(({ id, name }) => `${printable(name)} (${id})`);
    return names.length === 0 ? [] : [`${word}: ${firstOf(names, NAMED)}`];
  });
  return `; ${parts.length === 0 ? 'the same themes in different bytes: the JSON is modified in transit' : parts.join('; ')}`;
}

/** Where the images of a list are, if nothing else differs from this build. */
export function otherBase(list: readonly ThemeRecord[], live: readonly ThemeRecord[]): string | undefined {
  const logo = live[0]?.logo;
  if (typeof logo !== 'string' || logo === list[0]?.logo) return undefined;
  const withoutBase = (records: readonly ThemeRecord[]): string =>
    JSON.stringify(records).replaceAll(/"https?:\/\/[^"]*?\/(?=[^/"]+\/[^/"]+")/g, '"');
  return withoutBase(list) === withoutBase(live) ? logo.split('/').slice(0, -2).join('/') : undefined;
}
