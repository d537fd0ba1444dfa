import { printable } from '../diagnostics/quote.ts';
import type { ThemeRecord } from '../document/record.ts';
import type { LiveList } from './build.ts';
import type { Build } from '../hosts/published-build.ts';

/** Themes named of each kind of difference. */
const NAMED = 3;

/**
 * How the themes of a live list differ from those of the build.
 * @param base - where its images are, if nothing else differs: see `otherBase`
 */
export function difference({ list, rules }: Build, live: LiveList, base: string | undefined): string {
  if (base !== undefined) return `; its images are at ${printable(base)}, those of this build at ${rules.baseUrl}`;
  const there = new Map(live.records.map((record) => [record.id, record]));
  const here = new Map(list.map((record) => [record.id, record]));
  const isOther = ({ id }: ThemeRecord): boolean => there.has(id) && text(there.get(id)) !== text(here.get(id));
  const parts = [
    ...part('missing', list, ({ id }) => !there.has(id)),
    ...part('unknown here', live.records, ({ id }) => !here.has(id)),
    ...part('different', list, isOther),
  ];
  return `; ${parts.length === 0 ? 'the same themes in different bytes: the JSON is modified in transit' : parts.join('; ')}`;
}

function part(word: string, all: readonly ThemeRecord[], isMeant: (record: ThemeRecord) => boolean): string[] {
  const names = all.filter(isMeant).map(({ id, name }) => `${printable(name)} (${id})`);
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return names.length === 0 ? [] : [`${word}: ${names.slice(0, NAMED).join(', ')}${more}`];
}

/** Where the images of a list are, if nothing else differs from this build. */
export function otherBase(list: readonly ThemeRecord[], live: readonly ThemeRecord[]): string | undefined {
  const logo = live[0]?.logo;
  if (typeof logo !== 'string' || logo === list[0]?.logo) return undefined;
  const host = (record: ThemeRecord): string =>
    text(record).replaceAll(/"https?:\/\/[^"]*?\/(?=[^/"]+\/[^/"]+")/g, '"');
  const isSame =
    list.length === live.length && list.every((record, index) => host(record) === host(live[index] ?? record));
  return isSame ? logo.split('/').slice(0, -2).join('/') : undefined;
}

function text(record: ThemeRecord | undefined): string {
  return JSON.stringify(record);
}
