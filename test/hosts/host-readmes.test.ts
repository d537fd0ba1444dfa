import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../src/index.ts';
import { adapters } from '../../src/hosts/adapter/adapters.ts';
import type { EdgeHost } from '../../src/core/theme/site/site.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { HTTPD, httpdConf } from './apache-process.ts';
import { CADDY } from './caddy-process.ts';
import type { Host } from './contract.ts';
import { CONFIG } from './contract/expected.ts';
import { send } from './contract/send.ts';
import { IN_FOREGROUND, NGINX, TEMPORARY_PATHS } from './nginx-process.ts';
import { freePort, reportMissing, startServer } from './process.ts';
import type { WebServer } from './web-servers.ts';

/*
 * Follows the README of each installed server: runs its commands verbatim, adds its lines to the configuration, and requests the theme
 * of a user.
 */

/** A simulated machine: a folder replaces `/etc/`, and scripts replace systemd and the server commands. */
interface Machine {
  root: string;
  port: number;
  /** Returns a text of the README with the paths of this machine. */
  at: (path: string) => string;
  /** Runs a block verbatim, except for `/etc/`. Rejects if the shell fails. */
  run: (block: string) => Promise<string>;
}

/** The steps that a server's README leaves to the administrator. */
interface Guide {
  installed: string | undefined;
  /** Returns shell scripts that replace commands, by name. They pass the folder of the machine to the server. */
  commands: (root: string) => Record<string, string>;
  /** Returns configuration files by path, made from the README's blocks that are not commands. */
  files: (blocks: readonly string[]) => Record<string, string>;
  start: (machine: Machine) => Promise<Host>;
  /** The file with the generated secret, and a pattern that captures it. */
  secret: { file: string; pattern: RegExp };
}

const NGINX_START = `${IN_FOREGROUND}http { access_log off; ${TEMPORARY_PATHS}`;

/** Returns the block of a README that begins with a text. */
const findBlock = (blocks: readonly string[], start: string): string => {
  const block = blocks.find((text) => text.startsWith(start));
  if (block === undefined) throw new Error(`The README has no block that begins with ${start}`);
  return block;
};

/** Parses an `EnvironmentFile=` of systemd. */
async function environment(file: string): Promise<Record<string, string>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.matchAll(/^(?:export )?(\w+)="?(.*?)"?$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}

const GUIDES: Readonly<Record<WebServer, Guide>> = {
  nginx: {
    installed: NGINX,
    commands: (root) => ({
      nginx: `exec ${resolveCommand(NGINX)} -p ${root}/etc/nginx -c "\${CONF:-${root}/etc/nginx/nginx.conf}" -e ${root}/error.log "$@"`,
    }),
    files: (blocks) => ({
      '/etc/nginx/nginx.conf': `${NGINX_START}\n  ${findBlock(blocks, 'include themecast/has[h].conf;')}\n}`,
    }),
    start: ({ root, port }) => startServer({ command: `${root}/bin/nginx`, args: [], port }),
    secret: { file: '/etc/nginx/themecast/PROXY_SECRET.map', pattern: /\^(.*)\$/ },
  },
  apache: {
    installed: HTTPD,
    commands: (root) => ({
      apachectl: `. ${root}/etc/apache2/envvars\ncase $1 in configtest) exec ${resolveCommand(HTTPD)} -t -f ${root}/etc/apache2/httpd.conf;; esac`,
    }),
    files: () => ({ '/etc/apache2/envvars': 'export LANG=C\n' }),
    start: async ({ root, at, port }) => {
      const folder = path.join(root, 'etc/apache2');
      const user = process.getuid?.() === 0 ? 'User www-data\nGroup www-data\n' : '';
      const include = `IncludeOptional ${at('/etc/apache2/themecast/virtual-hos[t].conf')}`;
      await writeFile(path.join(folder, 'httpd.conf'), user + (await httpdConf(folder, port, include)));
      const env = await environment(path.join(folder, 'envvars'));
      const args = ['-f', path.join(folder, 'httpd.conf'), '-D', 'FOREGROUND'];
      return startServer({ command: HTTPD ?? '', args, port, env });
    },
    secret: { file: '/etc/apache2/envvars', pattern: /PROXY_SECRET=(.*)/ },
  },
  caddy: {
    installed: CADDY,
    commands: () => ({}),
    files: (blocks) => ({
      '/etc/caddy/Caddyfile': `{\n\tadmin off\n\tauto_https off\n}\n${findBlock(blocks, 'import themecast/')}\n`,
    }),
    start: async ({ root, at, port }) => {
      const env = { ...(await environment(at('/etc/caddy/themecast.env'))), HOME: root };
      const args = ['run', '--config', at('/etc/caddy/Caddyfile'), '--adapter', 'caddyfile'];
      return startServer({ command: CADDY ?? '', args, port, env });
    },
    secret: { file: '/etc/caddy/themecast.env', pattern: /PROXY_SECRET=(.*)/ },
  },
};

/** Matches the start of blocks with shell commands. */
const COMMAND = /^(?:[(]|(?:mkdir|chmod|cp|chown|sh|su|nginx|caddy|apachectl|if|npx)\b)/;
/** Matches the start of blocks with lines for a configuration. */
const CONFIGURATION = /^(?:include themecast|import themecast|Listen |IncludeOptional |location \^~)/;
/** Matches commands that need a remote server. Other tests run them. */
const REMOTE_COMMAND = /^npx themecast (?:verify|deploy)/;
/** Matches commands that need a running server, or its environment. */
const AFTER_START = /nginx -t|^apachectl/;

describe.each(Object.entries(GUIDES))('the README for %s', (host, guide) => {
  if (guide.installed === undefined) {
    reportMissing(adapters[host as EdgeHost].title);
    return;
  }

  let site: SiteFolder;
  let blocks: string[];
  let machine: Machine;
  let server: Host;
  beforeAll(async () => {
    const port = await freePort();
    site = await buildFor(host, port);
    blocks = codeBlocks(await readFile(path.join(site.edgeOutDir, host, 'README.md'), 'utf8'));
    machine = await machineIn(site.root, port, guide.commands(site.root));
    for (const [file, text] of Object.entries(guide.files(blocks))) {
      await mkdir(path.dirname(machine.at(file)), { recursive: true });
      await writeFile(machine.at(file), machine.at(text));
    }
    const commands = blocks.filter((block) => COMMAND.test(block) && !REMOTE_COMMAND.test(block));
    for (const block of commands.filter((block) => !AFTER_START.test(block))) await machine.run(block);
    server = await guide.start(machine);
    for (const block of commands.filter((block) => AFTER_START.test(block))) await machine.run(block);
  });
  afterAll(async () => {
    await server?.stop();
    await removeSite(site);
  });

  it('sets up a server that trusts the generated secret', async () => {
    const nameFor = async (headers: Record<string, string>): Promise<string> => {
      const { body } = await send(machine.port, { path: CONFIG, headers: { 'X-Remote-User': 'tom', ...headers } });
      return (JSON.parse(body) as { name: string }).name;
    };
    const { file, pattern } = guide.secret;
    const [, secret = ''] = pattern.exec(await readFile(machine.at(file), 'utf8')) ?? [];
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await nameFor({ 'X-Proxy-Secret': secret })).toBe('meadow');
    expect(await nameFor({})).toBe('harbor');
  });

  it('has no untested block', () => {
    expect(blocks.filter((block) => !COMMAND.test(block) && !CONFIGURATION.test(block))).toEqual([]);
  });

  if (host !== 'nginx') return;
  it('adds the service to an existing server, even if that has a /media/ location', async () => {
    const port = await freePort();
    const existing = machine.at('/etc/nginx/existing.conf');
    const write = (http: string, locations: string): Promise<void> =>
      writeFile(
        existing,
        `${NGINX_START.replace('nginx.pid', 'existing.pid')}\n${http}\nserver { listen 127.0.0.1:${port}; location / { return 200 app; } ${locations} }\n}`,
      );
    const get = async (target: string): Promise<string> => (await send(port, { path: target })).body;
    const start = (): Promise<Host> => {
      const args = ['-p', path.dirname(existing), '-c', existing, '-e', machine.at('/etc/nginx/error.log')];
      return startServer({ command: NGINX ?? '', args, port });
    };
    const includes = findBlock(blocks, 'include themecast/has').replace('theme-servic[e]', 'map[s]');
    const locations = findBlock(blocks, 'include themecast/location');
    await write(includes, locations);
    let running = await start();
    expect([await get('/page'), await get(CONFIG)]).toEqual(['app', expect.stringContaining('"harbor"')]);
    await running.stop();
    const images = 'location /media/ { return 200 image; }';
    await write(includes, locations + images);
    await expect(machine.run('CONF=/etc/nginx/existing.conf nginx -t')).rejects.toThrow('duplicate location "/media/"');
    await write('', findBlock(blocks, 'location ^~') + images);
    running = await start();
    expect([await get('/media/a.png'), await get(CONFIG)]).toEqual(['image', expect.stringContaining('"harbor"')]);
    const [, logo = ''] = /"logo":"[^"]*\/media(\/[^"]+)"/.exec(await get(CONFIG)) ?? [];
    expect(await get(`/theme-media${logo}`)).toContain('<svg');
    await running.stop();
  });
});

/** Builds a site for a host that listens on a port. */
async function buildFor(host: string, port: number): Promise<SiteFolder> {
  const secret = { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' };
  const site = await makeSite({
    themes: { harbor: {}, meadow: {} },
    users: [['tom', 'meadow']],
    site: {
      base_url: BASE_URL,
      edge: [host],
      identity: [{ user: { header: 'X-Remote-User', shared_secret: secret } }],
    },
  });
  const file = path.join(site.themesDir, 'site.yaml');
  const origin = { listen: `127.0.0.1:${port}`, document_root: site.outDir };
  await writeFile(file, `${await readFile(file, 'utf8')}origin: ${JSON.stringify(origin)}\n`);
  expect((await build(site)).diagnostics).toEqual([]);
  return site;
}

/** Returns the path of a command, because a script of the same name shadows it. */
function resolveCommand(command = ''): string {
  if (command.includes('/')) return command;
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin'];
  return folders.map((folder) => path.join(folder, command)).find((file) => existsSync(file)) ?? command;
}

/** Returns the indented blocks of a README, without their indentation. */
function codeBlocks(readme: string): string[] {
  return [...readme.matchAll(/(?:^ {4,}\S.*\n)+/gm)].map(([block]) => {
    const indentation = Math.min(...block.split('\n').flatMap((text) => (text === '' ? [] : [text.search(/\S/)])));
    return block.replaceAll(new RegExp(`^ {${indentation}}`, 'gm'), '').trimEnd();
  });
}

async function machineIn(root: string, port: number, commands: Readonly<Record<string, string>>): Promise<Machine> {
  const bin = path.join(root, 'bin');
  for (const folder of [bin, path.join(root, 'etc')]) await mkdir(folder);
  const rootCommands = process.getuid?.() === 0 ? {} : { chown: '', chgrp: '', su: '' };
  for (const [name, script] of Object.entries({ systemctl: '', ...rootCommands, ...commands }))
    await writeFile(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  // Servers run as other users, who must be able to enter the temporary folder (mode 0700).
  await chmod(root, 0o755);
  const at = (text: string): string => text.replaceAll('/etc/', `${root}/etc/`);
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}:/usr/sbin`, HOME: root };
  const run = async (block: string): Promise<string> => {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', at(block)], { cwd: root, env });
    return stdout + stderr;
  };
  return { root, port, at, run };
}
