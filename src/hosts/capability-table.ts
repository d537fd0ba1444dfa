import type { Capabilities, EdgeAdapter } from './adapter.ts';

/** The columns of the capability table: what people who choose a host ask first. */
export const CAPABILITY_COLUMNS = [
  'host',
  'themes by',
  'read from',
  'keys',
  'Accept, format',
  'answers',
  'ETag',
  'CORS',
] as const;

/** What a host can do, one cell a column. */
export function capabilityRow({ title, capabilities }: EdgeAdapter): string[] {
  return [
    title,
    capabilities.identity.names.length === 0 ? 'default theme only' : capabilities.identity.names.join(', '),
    sources(capabilities),
    keys(capabilities),
    { accept: 'both', format: '`format` alone', none: 'JSON always' }[capabilities.negotiation],
    answers(capabilities),
    { content: 'by content', 'list-only': 'list, by time', none: 'none' }[capabilities.etag],
    capabilities.cors ? 'yes' : 'no',
  ];
}

function answers({ headers, optionsBody, refusals }: Capabilities): string {
  const kept = [headers ? 'headers' : '', optionsBody ? 'OPTIONS' : '', refusals ? 'refusals' : ''].filter(Boolean);
  return kept.join(', ') || 'the host’s own';
}

/** The same as a list of Markdown, without the host. */
export function capabilityList(adapter: EdgeAdapter): string {
  const cells = capabilityRow(adapter).map((cell, column) => `- ${CAPABILITY_COLUMNS[column]}: ${cell}`);
  return cells.slice(1).join('\n');
}

/** The same for a terminal. */
export function capabilityLines(adapter: EdgeAdapter): string[] {
  const [title = '', names = '', read = '', held = '', negotiation = '', answers = '', etag = '', cors = ''] =
    capabilityRow(adapter).map((cell) => cell.replaceAll('`', ''));
  return [
    `${title}: ${names}${read === '–' ? '' : ` from ${read}`}; keys: ${held}`,
    `  Accept and format: ${negotiation}; answers: ${answers}; ETag: ${etag}; CORS: ${cors}`,
  ];
}

function sources({ identity }: Capabilities): string {
  const read = [
    ...(identity.cookie ? ['cookie'] : []),
    ...(identity.trustedProxies ? ['header by address'] : []),
    ...(identity.sharedSecret ? ['header by secret'] : []),
    ...(identity.jwt.length > 0 ? [`JWT ${identity.jwt.join('/')}`] : []),
    ...(identity.authRequest ? ['auth_request'] : []),
  ];
  return read.join(', ') || '–';
}

function keys({ keyed, caseSensitiveKeys, ...plain }: Capabilities): string {
  if (plain.maxKeys === 0) return `none (${plain.maxKeysBecause})`;
  return `${limit(plain)}${keyed === undefined ? '' : `; keyed: ${limit(keyed)}`}${caseSensitiveKeys ? '' : ', case ignored'}`;
}

function limit({ maxKeys, maxKeysBecause }: Pick<Capabilities, 'maxKeys' | 'maxKeysBecause'>): string {
  return `${Number.isFinite(maxKeys) ? maxKeys.toLocaleString('en') : 'any number'} (${maxKeysBecause})`;
}
