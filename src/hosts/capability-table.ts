import { compact } from '../diagnostics/compact.ts';
import type { Capabilities, EdgeAdapter } from './adapter.ts';

/** The columns of the capability table: what matters most when choosing a host. */
export const CAPABILITY_COLUMNS = [
  'host',
  'themes by',
  'read from',
  'keys',
  'Accept, format',
  'responses',
  'ETag',
  'CORS',
  'redirects',
] as const;

/** The capabilities of a host, one cell per column. */
export function capabilityRow({ title, capabilities }: EdgeAdapter): string[] {
  return [
    title,
    capabilities.identity.names.length === 0 ? 'default theme only' : capabilities.identity.names.join(', '),
    sources(capabilities),
    keys(capabilities),
    capabilities.hasRules ? 'both' : 'JSON always; the stylesheet of the default theme as `config/index.css`',
    capabilities.hasRules ? 'headers, OPTIONS, error responses' : 'the host’s own',
    { content: 'by content', 'list-only': 'list, by time', none: 'none' }[capabilities.etag],
    capabilities.hasRules ? 'yes' : 'no',
    capabilities.redirects === 0
      ? 'no'
      : `${capabilities.redirects.toLocaleString('en')} (${capabilities.redirectsBecause})`,
  ];
}

/** The same as a Markdown list, without the name of the host. */
export function capabilityList(adapter: EdgeAdapter): string {
  const cells = capabilityRow(adapter).map((cell, column) => `- ${CAPABILITY_COLUMNS[column]}: ${cell}`);
  return cells.slice(1).join('\n');
}

/** The same for a terminal. */
export function capabilityLines(adapter: EdgeAdapter): string[] {
  const [title = '', names = '', read = '', limit = '', ...others] = capabilityRow(adapter).map((cell) =>
    cell.replaceAll('`', ''),
  );
  const labels = CAPABILITY_COLUMNS.slice(4).map((column) => column.replace(',', ' and'));
  return [
    `${title}: ${names}${read === '–' ? '' : ` from ${read}`}; keys: ${limit}`,
    `  ${others.map((cell, column) => `${labels[column]}: ${cell}`).join('; ')}`,
  ];
}

function sources({ identity }: Capabilities): string {
  const read = [
    identity.cookie && 'cookie',
    identity.trustedProxies && 'header by address',
    identity.sharedSecret && 'header by secret',
    identity.jwt.length > 0 && `JWT ${identity.jwt.join('/')}`,
    identity.authRequest && 'auth_request',
    identity.host && 'hostname',
  ];
  return compact(read).join(', ') || '–';
}

function keys({ keyed, caseSensitiveKeys, ...plain }: Capabilities): string {
  if (plain.maxKeys === 0) return `none (${plain.maxKeysBecause})`;
  return `${limit(plain)}${keyed === undefined ? '' : `; keyed: ${limit(keyed)}`}${caseSensitiveKeys ? '' : ', case-insensitive'}`;
}

function limit({ maxKeys, maxKeysBecause }: Pick<Capabilities, 'maxKeys' | 'maxKeysBecause'>): string {
  return `${Number.isFinite(maxKeys) ? maxKeys.toLocaleString('en') : 'any number'} (${maxKeysBecause})`;
}
