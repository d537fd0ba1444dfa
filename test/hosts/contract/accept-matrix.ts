import { expect } from 'vitest';
import { CONFIG, renderingsOf } from '../../../src/document/endpoint.ts';
import { formatParameter, negotiate } from '../../../src/edge-runtime/negotiate.ts';
import { SITE_DEFAULTS } from '../../../src/theme/site.ts';
import { MANIFEST, type PublishedSite, textOf } from '../site.ts';
import type { Outcome } from './cases.ts';
import { describeRequest, sendAll } from './send.ts';

const ENTRIES = [
  ...'*/* */json application/* application/*;v=1 application/json application/json;q=0'.split(' '),
  ...'application/json;v=1'.split(' '),
  'application/json ; q=1 ; v=1',
  'application/json;v',
  'application/json;=',
  'application/json;q v=1',
  ...'application/json;qv=1 application/json/x text/* text/css text/css;v=1 Text/Html'.split(' '),
  ...'text/html;level=1 text/html;level=1;q=0.5'.split(' '),
  'text/html; Q = 1;',
  'image/png;application/json=1',
  '',
];
const ACCEPTS = ENTRIES.flatMap((first) => [first, ...ENTRIES.map((second) => `${first}, ${second}`)]);
const QUERIES = ['', '?format=json', '?format=css', '?format=icon', '?format=api&format=json', '?format=API'];

function negotiated(query: string, accept: string | null): Outcome {
  const rendering = negotiate(
    renderingsOf(CONFIG, { ...SITE_DEFAULTS, manifest: MANIFEST }),
    formatParameter(query),
    accept,
  );
  return typeof rendering === 'number' ? rendering : rendering.name;
}

/** Expects a host to negotiate like the handler at CONFIG, for all pairs of many Accept headers and queries. */
export async function expectNegotiatesAsHandler(port: number, site: PublishedSite): Promise<void> {
  const file = (name: string): string => textOf(site, `${CONFIG.path.slice(1)}${name}`);
  const { notFound, notAcceptable } = site.rules.refusals;
  const bodies: Readonly<Record<Outcome, string>> = {
    json: file('index.json'),
    html: file('browse.html'),
    css: file('index.css'),
    png: file('index.png'),
    webmanifest: file('index.webmanifest'),
    404: notFound,
    406: notAcceptable,
  };
  const requests = ACCEPTS.flatMap((Accept) =>
    QUERIES.map((query) => ({ request: { path: CONFIG.path + query, headers: { Accept } }, query, Accept })),
  );
  const answers = await sendAll(
    port,
    requests.map(({ request }) => request),
  );
  expect(answers.map(({ body }, index) => `${describeRequest(requests[index]!.request)} ${body}`)).toEqual(
    requests.map(({ request, query, Accept }) => `${describeRequest(request)} ${bodies[negotiated(query, Accept)]}`),
  );
}
