import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../src/index.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { HTTPD, httpdConf } from './apache-process.ts';
import { CADDY } from './caddy-process.ts';
import type { Host } from './contract.ts';
import { CONFIG } from './contract/expected.ts';
import { send } from './contract/send.ts';
import { adapters } from '../../src/hosts/adapters.ts';
import type { EdgeHost } from '../../src/theme/site.ts';
import { codeBlocks, isCommand, located, type Machine, machine } from './host-readme.ts';
import { NGINX } from './nginx-process.ts';
import type { WebServer } from './web-servers.ts';
import { freePort, reportMissing, startServer } from './process.ts';

/*
 * Follows the README of each server on this machine: runs its commands verbatim, puts its lines into the configuration, and requests a
 * user's theme from the built site.
 */

/** The parts of a server's test that its README does not have. */
interface Guide {
  installed: string | undefined;
  commands: (root: string) => Record<string, string>;
  /** Returns files of the machine by path, from the blocks of the README that are not commands. */
  files: (blocks: readonly string[], place: Place) => Record<string, string>;
  start: (place: Place) => Promise<Host>;
  /** The file with the secret in the README, and the pattern that finds it there. */
  secret: { file: string; pattern: RegExp };
  /** A corruption that the README's check must detect: the file, its text and the replacement; the check and its output. */
  corrupted: { file: string; text: string; with: string; check: RegExp; prints: RegExp };
}

interface Place {
  machine: Machine;
  port: number;
  printed: readonly string[];
}

const USER = process.getuid?.() === 0 ? 'user nobody nogroup;' : '';
const line = (blocks: readonly string[], start: string): string => {
  const block = blocks.find((text) => text.startsWith(start));
  if (block === undefined) throw new Error(`The README has no block that begins with ${start}`);
  return block;
};

/** Parses the variables in an `EnvironmentFile=` of systemd. */
async function environment(file: string): Promise<Record<string, string>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.matchAll(/^(?:export )?(\w+)="?(.*?)"?$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}

const GUIDES: Readonly<Record<WebServer, Guide>> = {
  nginx: {
    installed: NGINX,
    commands: (root) => ({
      nginx: `exec ${located(NGINX)} -p ${root}/etc/nginx -c ${root}/etc/nginx/nginx.conf -e ${root}/error.log "$@"`,
    }),
    files: (blocks) => ({
      '/etc/nginx/nginx.conf': `daemon off; pid nginx.pid; worker_processes 1; ${USER} events {}
http {
  access_log off; client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
  ${line(blocks, 'include themecast/has[h].conf;')}
}`,
    }),
    start: ({ machine: { root }, port }) => startServer({ command: `${root}/bin/nginx`, args: [], port }),
    secret: { file: '/etc/nginx/themecast/PROXY_SECRET.map', pattern: /\^(.*)\$/ },
    corrupted: {
      file: '/etc/nginx/nginx.conf',
      text: 'include themecast/has[h].conf;',
      with: 'map $uri $x { default 1; } include themecast/has[h].conf;',
      check: /^nginx -t/,
      prints: /"map_hash_max_size" directive is duplicate/,
    },
  },
  apache: {
    installed: HTTPD,
    commands: (root) => ({
      apachectl: `. ${root}/etc/apache2/envvars\ncase $1 in configtest) exec ${located(HTTPD)} -t -f ${root}/etc/apache2/httpd.conf;; esac`,
    }),
    files: () => ({ '/etc/apache2/envvars': 'export LANG=C\n' }),
    start: async ({ machine: { root, at }, port }) => {
      const folder = path.join(root, 'etc/apache2');
      const user = process.getuid?.() === 0 ? 'User www-data\nGroup www-data\n' : '';
      const include = `IncludeOptional ${at('/etc/apache2/themecast/virtual-hos[t].conf')}`;
      await writeFile(path.join(folder, 'httpd.conf'), user + (await httpdConf(folder, port, include)));
      const env = await environment(path.join(folder, 'envvars'));
      const args = ['-f', path.join(folder, 'httpd.conf'), '-D', 'FOREGROUND'];
      return startServer({ command: HTTPD ?? '', args, port, env });
    },
    secret: { file: '/etc/apache2/envvars', pattern: /PROXY_SECRET=(.*)/ },
    corrupted: {
      file: '/etc/apache2/themecast/theme-service.conf',
      text: 'RewriteEngine On',
      with: 'RewriteEngin On',
      check: /^apachectl/,
      prints: /Invalid command 'RewriteEngin'/,
    },
  },
  caddy: {
    installed: CADDY,
    commands: () => ({}),
    files: (blocks) => ({
      '/etc/caddy/Caddyfile': `{\n\tadmin off\n\tauto_https off\n}\n${line(blocks, 'import themecast/')}\n`,
    }),
    start: async ({ machine: { root, at }, port }) => {
      const env = { ...(await environment(at('/etc/caddy/themecast.env'))), HOME: root };
      const args = ['run', '--config', at('/etc/caddy/Caddyfile'), '--adapter', 'caddyfile'];
      return startServer({ command: CADDY ?? '', args, port, env });
    },
    secret: { file: '/etc/caddy/themecast.env', pattern: /PROXY_SECRET=(.*)/ },
    corrupted: {
      file: '/etc/caddy/themecast/service.caddy',
      text: 'import maps.caddy',
      with: 'import map.caddy',
      check: /^caddy validate/,
      prints: /map\.caddy/,
    },
  },
};

/** Matches the start of blocks with lines for a configuration. */
const CONFIGURATION = /^(?:include themecast|import themecast|Listen |IncludeOptional |location \^~)/;

/** Matches commands that need a remote server; other tests run them. */
const OF_THEMECAST = /^npx themecast (?:verify|deploy)/;

/** Matches commands that need a running server, or its environment. */
const AFTER_START = /nginx -t/;

describe.each(Object.entries(GUIDES))('the README for %s', (host, guide) => {
  if (guide.installed === undefined) {
    reportMissing(adapters[host as EdgeHost].title);
    return;
  }

  let site: SiteFolder;
  let readme: string;
  let place: Place & { printed: string[] };
  let server: Host;
  beforeAll(async () => {
    const port = await freePort();
    site = await buildFor(host, port);
    readme = await readFile(path.join(site.edgeOutDir, host, 'README.md'), 'utf8');
    place = { machine: await machine(site.root, guide.commands(site.root)), port, printed: [] };
    await mkdir(path.join(site.root, 'etc'));
    const blocks = codeBlocks(readme);
    const files = guide.files(blocks, place);
    for (const [file, text] of Object.entries(files)) {
      await mkdir(path.dirname(place.machine.at(file)), { recursive: true });
      await writeFile(place.machine.at(file), place.machine.at(text));
    }
    const commands = blocks.filter(isCommand).filter((block) => !OF_THEMECAST.test(block));
    for (const block of commands.filter((one) => !AFTER_START.test(one) && !one.startsWith('apachectl')))
      place.printed.push(await place.machine.run(block));
    server = await guide.start(place);
    for (const block of commands.filter((one) => AFTER_START.test(one) || one.startsWith('apachectl')))
      place.printed.push(await place.machine.run(block));
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
    await removeSite(site);
  });

  const ask = async (headers: Record<string, string>): Promise<string> => {
    const { body } = await send(place.port, { path: CONFIG, headers: { 'X-Remote-User': 'tom', ...headers } });
    return (JSON.parse(body) as { name: string }).name;
  };

  it('leads to a server that identifies a user by the generated secret', async () => {
    const { file, pattern } = guide.secret;
    const [, secret = ''] = pattern.exec(await readFile(place.machine.at(file), 'utf8')) ?? [];
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await ask({ 'X-Proxy-Secret': secret })).toBe('meadow');
    expect(await ask({})).toBe('harbor');
  });

  it('shows checks that print little, and what is wrong', async () => {
    expect(place.printed.join('').split('\n').length).toBeLessThan(20);
    const { file, text, with: wrong, check, prints } = guide.corrupted;
    const right = await readFile(place.machine.at(file), 'utf8');
    expect(right).toContain(text);
    await writeFile(place.machine.at(file), right.replace(text, wrong));
    const command = codeBlocks(readme).find((block) => check.test(block)) ?? '';
    const printed = await place.machine.run(command).catch(String);
    await writeFile(place.machine.at(file), right);
    expect(printed).toMatch(prints);
  });

  it('has no block without a test', () => {
    const configurationBlocks = codeBlocks(readme).filter((block) => !isCommand(block));
    expect(configurationBlocks.filter((block) => !CONFIGURATION.test(block))).toEqual([]);
  });
});

/** Builds a site for a host on a port, with its private files and `dist/` beside each other. */
async function buildFor(host: string, port: number): Promise<SiteFolder> {
  const secret = { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' };
  const root = await makeSite({
    themes: { harbor: {}, meadow: {} },
    users: [['tom', 'meadow']],
    site: {
      base_url: BASE_URL,
      edge: [host],
      identity: [{ user: { header: 'X-Remote-User', shared_secret: secret } }],
    },
  });
  const file = path.join(root.themesDir, 'site.yaml');
  const listen = { listen: `127.0.0.1:${port}`, document_root: root.outDir };
  await writeFile(file, `${await readFile(file, 'utf8')}origin: ${JSON.stringify(listen)}\n`);
  const { diagnostics } = await build(root);
  expect(diagnostics).toEqual([]);
  await rm(root.cacheDir, { recursive: true, force: true });
  return root;
}
