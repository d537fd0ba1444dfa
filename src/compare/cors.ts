import { CONFIG, LIST } from '../document/endpoint.ts';
import type { HttpResponse } from '../http/exchange.ts';
import type { Probe } from './probes.ts';
import { type Compared, compareTexts, differs, same } from './result.ts';

/** An origin that no service lists (RFC 2606): one that it may read from is any. */
const ANY = 'https://themecast-compare.invalid';
/** The header about which browsers ask most often. */
const ASKED = 'authorization';

/** What browsers send for a page of an origin (Fetch standard, CORS protocol): for any, and for those that are named. */
export function corsProbes(origins: readonly string[]): Probe[] {
  const preflight = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': ASKED };
  return [ANY, ...origins].flatMap((origin) =>
    Object.entries({ LIST, CONFIG }).flatMap(([name, { path }]): Probe[] => {
      const from = origin === ANY ? 'any origin' : origin;
      return [
        { what: `${name} from ${from}`, method: 'GET', path, headers: { Accept: 'application/json', Origin: origin } },
        { what: `${name} preflight from ${from}`, method: 'OPTIONS', path, headers: { Origin: origin, ...preflight } },
      ];
    }),
  );
}

/** What NEW keeps from a page that OLD lets read. NEW may allow more, as with `Vary`, but not less. */
export function compareCors(
  { what, method }: Pick<Probe, 'what' | 'method'>,
  origin: string,
  old: HttpResponse,
  now: HttpResponse,
): Compared[] {
  const allows = method === 'GET' ? [allowsReading, allowsCookies] : [allowsHeader];
  const lost = allows.find((isAllowed) => isAllowed(old, origin) && !isAllowed(now, origin));
  if (lost === undefined) return [same('responses', what)];
  const header = HEADERS.get(lost) ?? '';
  const row = compareTexts('responses', `${what} ${header}`, headerOf(old, header), headerOf(now, header));
  // The header may be there and be for something else: the status, or the origin.
  return [row.class === 'same' ? differs('responses', row.what, 'allowed', `not allowed, status ${now.status}`) : row];
}

type Allows = (response: HttpResponse, origin: string) => boolean;

const headerOf = ({ headers }: HttpResponse, name: string): string | undefined => headers[name.toLowerCase()];

const allowsReading: Allows = (response, origin) =>
  ['*', origin].includes(headerOf(response, 'Access-Control-Allow-Origin') ?? '');

const allowsCookies: Allows = (response, origin) =>
  headerOf(response, 'Access-Control-Allow-Origin') === origin &&
  headerOf(response, 'Access-Control-Allow-Credentials') === 'true';

const allowsHeader: Allows = (response, origin) => {
  const names = headerOf(response, 'Access-Control-Allow-Headers')?.toLowerCase().split(',') ?? [];
  const isFine = response.status >= 200 && response.status < 300 && allowsReading(response, origin);
  return isFine && names.some((name) => name.trim() === ASKED);
};

const HEADERS = new Map<Allows, string>([
  [allowsReading, 'Access-Control-Allow-Origin'],
  [allowsCookies, 'Access-Control-Allow-Credentials'],
  [allowsHeader, 'Access-Control-Allow-Headers'],
]);
