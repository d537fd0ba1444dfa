import { count } from '../diagnostics/quote.ts';
import { CONTENT_TYPES } from '../document/endpoint.ts';
import { type Deployment, type Kind, type LiveList, title } from './build.ts';
import type { CheckId } from './checks.ts';
import { type Answer, type Exchange, requestTo, statusOf, textOf, urlOf } from './exchange.ts';
import { type Finding, judged } from './result.ts';
import { endpointFindings, errorCacheFinding, isType, sameMembers, shown } from './headers.ts';
import { ENDPOINTS, type Gets } from './methods.ts';

/** The Accept header of a browser. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** One way to ask for a rendering, and what the contract answers it with. */
interface Case {
  id: CheckId;
  query: string;
  accept: string;
  expected: 'json' | 'html' | 404 | 406;
}

const CASES: readonly Case[] = [
  { id: 'format/json', query: '?format=json', accept: '*/*', expected: 'json' },
  { id: 'format/api', query: '?format=api', accept: '*/*', expected: 'html' },
  { id: 'format/unknown', query: '?format=xml', accept: '*/*', expected: 404 },
  { id: 'accept/html', query: '', accept: BROWSER, expected: 'html' },
  { id: 'accept/not-acceptable', query: '', accept: 'image/png', expected: 406 },
];

/** Content negotiation by `format` and Accept, on the endpoints that answer. */
export function renderingExchanges(deployment: Deployment, live: LiveList, gets: Gets): Exchange[] {
  const kinds = (Object.keys(gets) as Kind[]).filter((kind) => gets[kind] !== undefined);
  return kinds.flatMap((kind) =>
    CASES.map((example) => renderingExchange(deployment, live, kind, gets[kind], example)),
  );
}

function renderingExchange(
  deployment: Deployment,
  live: LiveList,
  kind: Kind,
  get: Answer | undefined,
  example: Case,
): Exchange {
  const { build, url } = deployment;
  const { id, query, accept, expected } = example;
  const request = requestTo(url, ENDPOINTS[kind].path + query, { headers: { Accept: accept } });
  const judge = (answer: Answer): Finding[] => {
    const isError = typeof expected === 'number';
    const type = isError || expected === 'json' ? CONTENT_TYPES.json : CONTENT_TYPES.html;
    const status = isError ? expected : 200;
    const asked = query === '' ? `Accept: ${accept === BROWSER ? 'text/html,… (a browser)' : accept}` : query;
    const isRight =
      answer.status === status &&
      (isError ||
        isType(answer, type) ||
        (answer.headers['content-type'] === get?.headers['content-type'] && expected === 'json'));
    const finding = judged(id, isRight, `${title(kind)} returns an unexpected response to ${asked}.`, {
      expected: isError ? String(status) : `${status}, Content-Type: ${type}`,
      found: answer.status === status ? `${statusOf(answer)}, ${shown(answer, 'Content-Type')}` : statusOf(answer),
      hint: `The rules of the host choose the rendering by \`format\` and Accept: see ${build.rulesAt}.`,
      url: urlOf(request),
    });
    if (!isRight) return [finding];
    const common = [finding, ...endpointFindings(build, kind, request, answer, get)];
    if (isError) return [...common, errorCacheFinding(build, request, answer)];
    return [
      ...common,
      ...cacheFindings(deployment, kind, example, answer, get, urlOf(request)),
      ...pageFindings(deployment, live, kind, example, answer, urlOf(request)),
    ];
  };
  return { id, request, judge };
}

/** Cache-Control of a rendering, unless GET of the JSON has it wrong in the same way. */
function cacheFindings(
  { build }: Deployment,
  kind: Kind,
  { expected }: Case,
  answer: Answer,
  get: Answer | undefined,
  url: string,
): Finding[] {
  const value = answer.headers['cache-control'];
  const { cacheControl } = build.rules.endpoints[kind];
  if (value === get?.headers['cache-control']) return [];
  return [
    judged(
      `${kind}/cache`,
      sameMembers(value, cacheControl),
      `The ${expected === 'html' ? 'page' : 'JSON'} of ${title(kind)} has the wrong Cache-Control.`,
      {
        expected: `Cache-Control: ${cacheControl}`,
        found: shown(answer, 'Cache-Control'),
        hint: `All renderings must have the same: see ${build.rulesAt}.`,
        url,
      },
    ),
  ];
}

// Another build has other hashes and hosts, but the same beginning.
const NO_SOURCES = "default-src 'none'";

function pageFindings(
  { build }: Deployment,
  live: LiveList,
  kind: Kind,
  { expected }: Case,
  answer: Answer,
  url: string,
): Finding[] {
  if (expected !== 'html') return [];
  const value = answer.headers['content-security-policy'] ?? '';
  const policy = build.rules.headers.html['Content-Security-Policy'] ?? '';
  const csp = judged(
    'page/csp',
    live.isCurrent ? value === policy : value.startsWith(NO_SOURCES),
    'The browsable page has the wrong Content-Security-Policy.',
    {
      expected: `Content-Security-Policy: ${policy}`,
      found: shown(answer, 'Content-Security-Policy'),
      hint: `The rules of the host set it: see ${build.rulesAt}.`,
      url,
    },
  );
  const file = build.files.get(`${ENDPOINTS[kind].path.slice(1)}browse.html`);
  if (!live.isCurrent || file === undefined) return [csp];
  const isPage = /<title>/i.test(textOf(answer));
  const document = judged('page/document', answer.sha256 === file.sha256, 'The browsable page is modified.', {
    expected: `${file.path}, ${count(file.bytes, 'byte')}`,
    found: isPage ? `another page, ${count(answer.bytes, 'byte')}` : 'no page',
    hint: 'A proxy or CDN modifies pages (analytics, e-mail protection), or the upload of phase 2 of manifest.json is incomplete.',
    url,
  });
  return [csp, document];
}
