import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nginx } from '../../src/hosts/nginx/index.ts';
import { codeBlocks, readPage } from '../docs/pages.ts';
import { type Host, briefContract } from './contract.ts';
import { CONFIG, LIST } from './contract/expected.ts';
import { send } from './contract/send.ts';
import { NGINX, startNginx } from './nginx-process.ts';
import { freePort, installed, NOBODY, reportMissing, startServer } from './process.ts';
import type { PublishedSite } from './site.ts';

// Runs the configurations of docs/behind-a-proxy.md unchanged, in front of nginx with the rules of a site.

const PAGE = readPage('docs/behind-a-proxy.md');
const IMAGE = '/media/harbor/logo.3f2a9c01.svg';

/** For each proxy: its command with its arguments, the language of its code block, and how many of three equal requests reach nginx. */
const PROXIES = {
  varnish: {
    title: 'Varnish',
    language: 'vcl',
    command: installed('varnishd', '-V'),
    args: (folder: string, file: string, port: number) => {
      const flags = ['-F', '-n', folder, '-f', file, '-a', `127.0.0.1:${port}`];
      return [...flags, '-T', 'none', '-s', 'malloc,16m'];
    },
    forwarded: { [LIST]: 1, [IMAGE]: 1 },
  },
  haproxy: {
    title: 'HAProxy',
    language: 'haproxy',
    command: installed('haproxy', '-v'),
    args: (_: string, file: string) => ['-db', '-f', file],
    forwarded: { [LIST]: 3, [IMAGE]: 1 },
  },
} as const;

describe.each(Object.keys(PROXIES) as (keyof typeof PROXIES)[])('behind a proxy: %s', (name) => {
  const { title, language, command, args, forwarded } = PROXIES[name];
  if (command === undefined || NGINX === undefined) {
    reportMissing(command === undefined ? title : 'nginx');
    return;
  }
  const [block = ''] = codeBlocks(PAGE, language);

  const running = briefContract(start, nginx.capabilities);

  it('caches public responses, never CONFIG', async () => {
    const { port, site } = running();
    for (const url of [LIST, IMAGE, CONFIG])
      for (let times = 0; times < 3; times++)
        expect((await send(port, { path: `${url}?stored` })).status, url).toBe(200);
    // nginx logs a request only after its response.
    const counts = async (): Promise<object> => {
      const log = await readFile(path.join(site.folder, 'nginx/access.log'), 'utf8');
      return Object.fromEntries([LIST, IMAGE, CONFIG].map((url) => [url, log.split(` ${url}?stored `).length - 1]));
    };
    await expect.poll(counts).toEqual({ ...forwarded, [CONFIG]: 3 });
  });

  /** Starts the proxy in front of nginx. */
  async function start(site: PublishedSite): Promise<Host> {
    const origin = await startNginx(site);
    const port = await freePort();
    const folder = path.join(site.folder, 'cache');
    const file = path.join(folder, 'proxy.conf');
    await mkdir(folder);
    const configuration = block
      .replace('"8080"', `"${origin.port}"`)
      .replace('127.0.0.1:8080', `127.0.0.1:${origin.port}`)
      .replace('bind :80', `bind 127.0.0.1:${port}`);
    await writeFile(file, configuration);
    // The proxy runs without privileges.
    await chmod(site.folder, 0o755);
    if (NOBODY !== undefined) await chown(folder, NOBODY.uid, NOBODY.gid);
    const proxy = await startServer({
      command: command ?? title,
      args: args(folder, file, port),
      port,
      cwd: folder,
      unprivileged: true,
    });
    return {
      port: proxy.port,
      stop: async () => {
        await proxy.stop();
        await origin.stop();
      },
    };
  }
});
