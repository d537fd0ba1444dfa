import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import type { Theme } from '../site.ts';
import { CONFIG, expectedOf, LIST, type Running } from './expected.ts';
import { expectThemes, type ThemeCase } from './identity.ts';
import { send } from './send.ts';

/** The map of the rule `theme: {host: …}`. Some groups of the sample site are hostnames too. */
export const HOST_THEMES: Readonly<Record<string, Theme>> = {
  'sea.example.org': 'meadow',
  'harbour.example.org': 'harbor',
  intranet: 'nightfall',
  // A group has the same name, but this rule comes first.
  tom: 'meadow',
  // These names are keywords of nginx.
  default: 'meadow',
  hostnames: 'nightfall',
};

const HOSTS: readonly (readonly [host: string, theme: Theme])[] = [
  ['sea.example.org', 'meadow'],
  ['SEA.Example.ORG', 'meadow'],
  ['sea.example.org:8080', 'meadow'],
  ['SEA.example.org.:8080', 'meadow'],
  ['sea.example.org.', 'meadow'],
  ['intranet', 'nightfall'],
  ['tom', 'meadow'],
  ['default', 'meadow'],
  ['hostnames', 'nightfall'],
  // This maps to the default theme, so the next rule does not apply.
  ['harbour.example.org', 'harbor'],
  ['forest.example.org', 'nightfall'],
  ['Forest.Example.org.:443', 'nightfall'],
  ['xn--frst-6qa.example.org', 'meadow'],
  ['XN--FRST-6QA.example.org', 'meadow'],
  // A group without a dot is not a hostname.
  ['staff', 'harbor'],
  ['STAFF.:80', 'harbor'],
  ['community.example.org', 'harbor'],
  // The complete name is compared, and dots are literal.
  ['seaXexample.org', 'harbor'],
  ['sea.example.org.evil.example', 'harbor'],
  ['x.sea.example.org', 'harbor'],
  ['sea', 'harbor'],
  // Users are not groups.
  ['nancy', 'harbor'],
  ['__proto__', 'harbor'],
  ['constructor', 'harbor'],
  ['127.0.0.1:8080', 'harbor'],
];

/** Malformed names that no host may mistake for a declared name. A host may also reject the request. */
const ODD_HOSTS = [
  'sea.example.org%00',
  'sea.example.org,x',
  'sea.example.org, forest.example.org',
  ...'sea.example.org:80:80 sea.example.org:x sea.example.org.. .sea.example.org sea..example.org'.split(' '),
  ...'%73ea.example.org user@sea.example.org sea.example.org/ sea.example.org/../..'.split(' '),
  ...'sea.example.org?x sea.example.org#x'.split(' '),
  'sea.example.org x',
  ...'sea.example.org;x sea_example.org *.example.org * ~.* .. ../options [::1] [sea.example.org]'.split(' '),
  'fo\u0155st.example.org',
  'f\u00f6rst.example.org',
  '"sea.example.org"',
  '$host',
  'k'.repeat(300),
  '',
];

/**
 * Tests the hostname of the request, which the rules read after the cookies.
 * @param ignoresCase - whether the host ignores the case of hostnames; otherwise no name with a capital letter matches
 */
export function hostnameContract(running: () => Running, ignoresCase = true): void {
  it(`reads the theme from the hostname, with any port and a trailing dot${ignoresCase ? ', in any case' : ''}`, () =>
    expectThemes(
      running(),
      HOSTS.map(([Host, theme]): ThemeCase => [{ Host }, ignoresCase || !/[A-Z]/.test(Host) ? theme : 'harbor']),
    ));
  it('tries the rules in order, including hostname rules', () =>
    expectThemes(running(), [
      [{ Host: 'sea.example.org', Cookie: 'user=nancy' }, 'nightfall'],
      [{ Host: 'sea.example.org', Cookie: 'user=unknown' }, 'meadow'],
      [{ Host: 'forest.example.org', Cookie: 'theme=harbor' }, 'harbor'],
    ]));
  it('reads the hostname from no other header', () =>
    expectThemes(
      running(),
      ['X-Forwarded-Host', 'X-Host', 'X-HTTP-Host-Override', 'X-Forwarded-Server', 'Forwarded', 'X-Original-Host'].map(
        (name): ThemeCase => [{ [name]: name === 'Forwarded' ? 'host=sea.example.org' : 'sea.example.org' }, 'harbor'],
      ),
    ));
  it('never includes the hostname of the request in a response', async () => {
    const { port } = running();
    for (const path of [LIST, CONFIG, CONFIG.slice(0, -1), `${LIST}nothing`]) {
      const { headers, body } = await send(port, { path, headers: { Host: 'unlisted.invalid' } });
      expect(JSON.stringify([headers, body]), path).not.toContain('unlisted');
    }
  });
  it('assigns no theme to a malformed, repeated or missing hostname', async () => {
    const host = running();
    const requests = [
      ...ODD_HOSTS.map((name) => [`Host: ${name}`]),
      ['Host: sea.example.org', 'Host: forest.example.org'],
      ['Host: forest.example.org', 'Host: sea.example.org'],
      ['Host: sea.example.org', 'Host: '],
    ];
    for (const headers of requests) expectNoTheme(host, await sendVerbatim(host.port, CONFIG, headers), headers.join());
    expectNoTheme(host, await sendVerbatim(host.port, CONFIG, [], 'HTTP/1.0'), 'HTTP/1.0');
    // An empty port is valid (RFC 3986, §3.2.3), but Apache httpd rejects it.
    expect(await sendVerbatim(host.port, CONFIG, ['Host: sea.example.org:'])).toMatch(/^HTTP\/1\.1 400|"meadow-/);
  });
}

/** Tests a request target that is a URL, whose host overrides the header (RFC 9112, §3.2.2). */
export function absoluteFormContract(running: () => Running): void {
  it('prefers the hostname of the request target', async () => {
    const host = running();
    const target = (name: string) => `http://${name}${CONFIG}`;
    for (const [name, header, theme] of [
      ['sea.example.org', 'sea.example.org', 'meadow'],
      ['sea.example.org:80', 'sea.example.org:80', 'meadow'],
      ['sea.example.org', 'forest.example.org', 'meadow'],
      ['forest.example.org', 'sea.example.org', 'nightfall'],
      ['unlisted.example.org', 'sea.example.org', 'harbor'],
      ['staff', 'unlisted.example.org', 'harbor'],
    ] as const) {
      const response = await sendVerbatim(host.port, target(name), [`Host: ${header}`]);
      // HAProxy rejects the request if the two differ.
      if (name !== header && response.startsWith('HTTP/1.1 400')) continue;
      expect(response, `${name} ${header}`).toContain(bodyOf(host, theme));
    }
  });
}

/** Expects the default theme, an error, or no response. */
function expectNoTheme(host: Running, response: string, label: string): void {
  for (const theme of ['meadow', 'nightfall'] as const) expect(response, label).not.toContain(bodyOf(host, theme));
  if (/^HTTP\/1\.[01] 200/.test(response)) expect(response, label).toContain(bodyOf(host, 'harbor'));
  else expect(response, label).toMatch(/^(?:HTTP\/1\.[01] (?:4\d\d|500|501|505)|$|<)/);
}

function bodyOf(host: Running, theme: Theme): string {
  return expectedOf(host, 'config', 'json', theme).body;
}

/** Sends a request verbatim, which the HTTP clients of Node.js cannot. */
async function sendVerbatim(
  port: number,
  target: string,
  headers: readonly string[],
  version = 'HTTP/1.1',
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    // workerd does not close the connection.
    if (isComplete(text)) socket.destroy();
  });
  socket.on('error', () => undefined);
  const head = [`GET ${target} ${version}`, ...headers, 'Accept: application/json', 'Connection: close', '', ''];
  socket.write(head.join('\r\n'), 'latin1');
  await once(socket, 'close');
  return text;
}

function isComplete(response: string): boolean {
  const [, length = '', body = ''] = /^content-length: *(\d+)\r\n(?:.+\r\n)*\r\n(.*)$/ims.exec(response) ?? [];
  return length === '' ? response.endsWith('\r\n0\r\n\r\n') : body.length >= Number(length);
}
