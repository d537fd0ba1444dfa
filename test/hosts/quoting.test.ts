import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import * as apache from '../../src/hosts/apache/syntax.ts';
import * as caddy from '../../src/hosts/caddy/syntax.ts';
import { Inexpressible } from '../../src/hosts/contract/inexpressible.ts';
import { jsonParse, quoteJavaScript } from '../../src/hosts/adapter/handler-modules.ts';
import * as nginx from '../../src/hosts/nginx/syntax.ts';
import { HTTPD } from './apache-process.ts';
import { CADDY } from './caddy-process.ts';
import { sendAll, type Answer, type Request } from './contract/send.ts';
import { IN_FOREGROUND, NGINX, TEMPORARY_PATHS } from './nginx-process.ts';
import { freePort, NOBODY, reportMissing, type ServerCommand, startServer } from './process.ts';
import { escapeRegExp } from '../../src/hosts/adapter/regexp.ts';
import type { WebServer } from './web-servers.ts';

/** A server that responds with the quoted texts of a test. */
interface Quoting {
  host: string;
  installed: string | undefined;
  /**
   * Returns a configuration that responds to `/text/N` with text N, and to `/match/N` with N if the header `X-Text` matches pattern N.
   */
  configuration: (texts: readonly string[], patterns: readonly string[], port: number, folder: string) => string;
  command: (file: string, port: number, folder: string) => Omit<ServerCommand, 'port'>;
  /** Quotes a text for the host. Throws if the host cannot express it. */
  write: (text: string) => string;
  pattern: (text: string) => string;
  answer: (answer: Answer) => string;
  /** Returns the text as the response contains it, if the host changes it. */
  received?: (text: string) => string;
}

const body = (answer: Answer): string => answer.body;
/** Reads the text from a header, because httpd cannot respond with an arbitrary body. */
const header = ({ headers }: Answer): string => Buffer.from(headers['x-text'] ?? '', 'latin1').toString();

const SERVERS: Readonly<Record<WebServer, Quoting>> = {
  nginx: {
    host: 'nginx',
    installed: NGINX,
    configuration: (texts, patterns, port) => `${IN_FOREGROUND}http {
  access_log off; default_type text/plain; ${TEMPORARY_PATHS}
  large_client_header_buffers 4 32k;
  map_hash_bucket_size 512;
  map $http_x_text $matched {
${patterns.map((text, at) => `    ${text} "${at}";`).join('\n')}
  }
  server {
    listen 127.0.0.1:${port};
    location /match/ { return 200 "$matched"; }
${texts.map((text, at) => `    location = /text/${at} { return 200 ${text}; }`).join('\n')}
  }
}`,
    command: (file, _, folder) => ({
      command: NGINX ?? '',
      args: ['-p', folder, '-c', file, '-e', path.join(folder, 'error.log')],
    }),
    write: nginx.quote,
    pattern: (text) => nginx.quoteTemplate(`~^${escapeRegExp(text)}$`),
    answer: body,
  },
  apache: {
    host: 'Apache httpd',
    installed: HTTPD,
    configuration: (texts, patterns, port, folder) => `ServerRoot "${folder}"
Listen 127.0.0.1:${port}
ServerName apache.invalid
PidFile httpd.pid
ErrorLog error.log
Mutex file:${folder}
LimitRequestFieldSize 32000
${['mpm_event', 'authz_core', 'setenvif', 'headers', 'rewrite'].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
RewriteEngine on
${patterns.map((text, at) => `SetEnvIf X-Text ${text} MATCHED=${at}`).join('\n')}
<Location "/match/">
    Header always set X-Text "%{MATCHED}e"
</Location>
RewriteRule ^ - [R=404]
${texts.map((text, at) => `<Location "/text/${at}">\n${text}\n</Location>`).join('\n')}
`,
    command: (file) => ({ command: HTTPD ?? '', args: ['-f', file, '-D', 'FOREGROUND'], unprivileged: true }),
    write: (text) => apache.setHeaders({ 'X-Text': text }).join(''),
    pattern: (text) => apache.quote(`^${escapeRegExp(text)}$`),
    answer: header,
    // A header cannot begin or end with spaces (RFC 9110, §5.5).
    received: (text) => text.replaceAll(/^[ \t]+|[ \t]+$/g, ''),
  },
  caddy: {
    host: 'Caddy',
    installed: CADDY,
    configuration: (texts, patterns, port) => `{
	admin off
	auto_https off
}
http://127.0.0.1:${port} {
	map {header.X-Text} {matched} {
${patterns.map((text, at) => `		${text} "${at}"`).join('\n')}
	}
	respond /match/* "{matched}"
${texts.map((text, at) => `	respond /text/${at} ${text} 200`).join('\n')}
}
`,
    command: (file, _, folder) => ({
      command: CADDY ?? '',
      args: ['run', '--config', file, '--adapter', 'caddyfile'],
      env: { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
      unprivileged: true,
    }),
    write: caddy.quote,
    pattern: (text) => caddy.quoteTemplate(`~^${escapeRegExp(text)}$`),
    answer: body,
  },
};

/** Texts of the syntax of hosts, and words that they reserve. */
const SYNTAX =
  `$ $$ \${ \${x} $(x) #{x} %{x} %{ENV:PATH} % %% %s %n %41 %0d%0a { } {} {{ }} {$x} [] () ; // /* */ <!-- --> # < > <% && | ^ ! ?
* + = @ ~ ~* \\ \\n \\" \\' " ' \` "a 'a \`a "" '' a"b a'b a\`b a\\ .. default include hostnames volatile __proto__ null true 0 -0 1e3 Größe 😍`
    .split(/\s/)
    .concat('', ' ', 'a ', ' a', 'a b', 'a\tb', 'a\nb', 'a\r\nb', 'a\0b', 'a\u007fb', 'a\u0085b', 'a\u2028b', '\ufeff')
    .concat('\ud800', 'long '.repeat(900), '"; } server { listen 1; }', '" "-" "', '</script><script>');

describe.each(Object.values(SERVERS))('$host', (server) => {
  if (server.installed === undefined) {
    reportMissing(server.host);
    return;
  }

  it('returns any text unchanged or rejects it', { timeout: 120_000 }, async () => {
    // Most rejected texts contain control characters, which no host can express.
    expect(await expectUnchanged(server, SYNTAX)).toBeGreaterThan(SYNTAX.length * 0.75);
  });
});

/** Expects texts to return unchanged and to match their patterns. @returns how many texts the host can express */
async function expectUnchanged(server: Quoting, candidates: readonly string[]): Promise<number> {
  const texts = [...new Set(candidates)].filter((text) => isWritable(() => server.write(text)));
  // Only some texts are valid in a request header.
  const sendable = texts.filter(
    (text) =>
      /^[^\s\u0000-\u001f](?:[^\u0000-\u001f\u007f]*[^\s\u0000-\u001f\u007f])?$/.test(text) && isWellFormed(text),
  );
  const patterns = sendable.filter((text) => text.length < 500 && isWritable(() => server.pattern(text)));
  const requests: Request[] = [
    ...texts.map((_, at) => ({ path: `/text/${at}` })),
    ...patterns.map((text, at) => ({
      path: `/match/${at}`,
      headers: { 'X-Text': Buffer.from(text).toString('latin1') },
    })),
  ];
  const answers = await requestTexts(server, texts.map(server.write), patterns.map(server.pattern), requests);
  const responseText = server.received ?? ((text) => text);
  expect(answers).toEqual([
    // YAML cannot contain a lone surrogate, and UTF-8 encodes it as U+FFFD.
    ...texts.map((text) => responseText(Buffer.from(text).toString())),
    ...patterns.map((_, at) => String(at)),
  ]);
  return texts.length;
}

function isWritable(write: () => unknown): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (error instanceof Inexpressible) return false;
    throw error;
  }
}

function isWellFormed(text: string): boolean {
  return Buffer.from(text).toString() === text;
}

async function requestTexts(
  server: Quoting,
  texts: readonly string[],
  patterns: readonly string[],
  requests: readonly Request[],
): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-quoting-'));
  await mkdir(path.join(folder, 'run'));
  await chmod(folder, 0o755);
  if (NOBODY !== undefined)
    for (const dir of [folder, path.join(folder, 'run')]) await chown(dir, NOBODY.uid, NOBODY.gid);
  const port = await freePort();
  const file = path.join(folder, 'configuration');
  await writeFile(file, server.configuration(texts, patterns, port, folder));
  try {
    const host = await startServer({ ...server.command(file, port, folder), port, cwd: folder });
    try {
      return (await sendAll(host.port, requests)).map(server.answer);
    } finally {
      await host.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it('quotes every text as a JavaScript literal', () => {
  for (const text of SYNTAX)
    for (const literal of [quoteJavaScript(text), jsonParse(text)]) {
      expect(runInThisContext(literal)).toBe(text);
      // Inside a page, the text must not end the script.
      expect(literal).not.toMatch(/[\n\r\u2028\u2029<]/);
    }
});
