import type { Capabilities, EdgeAdapter } from '../adapter/adapter.ts';

/** The columns of the capability table: the differences that decide which host to choose. */
export const CAPABILITY_COLUMNS = ['host', 'ran on', 'read from', 'keys', 'ETag', 'redirects'] as const;

/** Returns the capabilities of a host, one cell per column. */
export function capabilityRow({ title, capabilities }: EdgeAdapter): string[] {
  const { ranOn, identity, etag, redirects } = capabilities;
  return [
    title,
    ranOn,
    identity.join(', ') || '–',
    keys(capabilities),
    { content: 'by content', 'list-only': 'list, by time', none: 'none' }[etag],
    redirects === 0 ? 'no' : redirects.toLocaleString('en'),
  ];
}

/** Returns the capabilities as a Markdown list, without the name of the host. */
export function capabilityList(adapter: EdgeAdapter): string {
  const cells = capabilityRow(adapter).map((cell, column) => `- ${CAPABILITY_COLUMNS[column]}: ${cell}`);
  return cells.slice(1).join('\n');
}

function keys({ keyed, caseSensitiveKeys, ...plain }: Capabilities): string {
  if (plain.maxKeys === 0) return `none (${plain.maxKeysBecause})`;
  return `${limit(plain)}${keyed === undefined ? '' : `; keyed: ${limit(keyed)}`}${caseSensitiveKeys ? '' : ', case-insensitive'}`;
}

function limit({ maxKeys, maxKeysBecause }: Pick<Capabilities, 'maxKeys' | 'maxKeysBecause'>): string {
  return `${maxKeys.toLocaleString('en')} (${maxKeysBecause})`;
}
