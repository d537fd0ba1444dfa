import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { varnish } from '../../src/hosts/varnish/index.ts';
import type { Host } from './contract.ts';
import { type Origin, startOrigin } from './origin-process.ts';
import { freePort, installed, NOBODY, startServer } from './process.ts';
import { type PublishedSite, writeOutputFile } from './site.ts';

/** The Varnish of this machine. */
export const VARNISH = installed('varnishd', '-V');

/** What stands in the VCL of the administrator after the backend of the themes. */
export type Vcl = string;

/** As the README of the adapter has it, for a Varnish that has nothing else to do. */
export const OWN_VCL: Vcl = 'include "themecast/theme-service.vcl";';

/** Varnish, and the static server behind it. */
export interface Accelerated extends Host {
  origin: Origin;
}

/** How Varnish is started. */
export interface VarnishOptions {
  vcl?: Vcl;
  /** As `-s` takes it. */
  storage?: string;
}

/** Starts Varnish with the rules of a site in a folder of its own, in the foreground and without privileges. */
export async function startVarnish(
  site: PublishedSite,
  { vcl = OWN_VCL, storage = 'malloc,16m' }: VarnishOptions = {},
): Promise<Accelerated> {
  const origin = await startOrigin(site.dist);
  const port = await freePort();
  const folder = await installRules(site, origin.port, vcl);
  const settings = { vcl_path: folder, cc_command: QUICK_COMPILER };
  const args = [
    '-F',
    `-n${path.join(folder, 'run')}`,
    `-f${path.join(folder, 'default.vcl')}`,
    `-a127.0.0.1:${port}`,
    '-Tnone',
    '-s',
    storage,
    ...Object.entries(settings).map(([name, value]) => `-p${name}=${value}`),
  ];
  try {
    const command = { command: VARNISH ?? 'varnishd', args, port, env: site.secrets, unprivileged: true };
    const host = await startServer(command, complaint);
    const stop = async () => {
      await host.stop();
      await origin.stop();
    };
    return { ...host, stop, origin };
  } catch (error) {
    await origin.stop();
    throw error;
  }
}

/** VCL becomes C. The tests compile it without optimisation, in half the time. */
const QUICK_COMPILER = 'exec gcc -O0 -Wall -Werror -pthread -fpic -shared -o %o %s';

/** Rules are not right while Varnish has something to say about them. */
function complaint(output: string): string | undefined {
  return /^(?:Error|Message from)/m.test(output) ? output : undefined;
}

/** Lays out what the README asks for: `default.vcl` with the backend, and the rules in `themecast/` beside it. */
async function installRules(site: PublishedSite, originPort: number, vcl: Vcl): Promise<string> {
  const folder = path.join(site.folder, 'varnish');
  await mkdir(path.join(folder, 'run'), { recursive: true });
  const report = (code: string) => {
    throw new Error(`The adapter reports ${code}.`);
  };
  const files = varnish.files({ rules: site.rules, mapping: site.mapping, runtime: {}, report });
  for (const file of files) await writeOutputFile(path.join(folder, 'themecast'), file);
  const backend = `backend themecast { .host = "127.0.0.1"; .port = "${originPort}"; }`;
  await writeFile(path.join(folder, 'default.vcl'), `vcl 4.1;\n\n${backend}\n${vcl}\n`);
  // It runs as somebody else, and has to get to its files in the temporary folder, which is 0700.
  await chmod(site.folder, 0o755);
  if (NOBODY !== undefined) await chown(path.join(folder, 'run'), NOBODY.uid, NOBODY.gid);
  return folder;
}
