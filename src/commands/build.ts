import path from 'node:path';
import type { BuildResult } from '../api.ts';
import { build } from '../build.ts';
import { count, printable } from '../diagnostics/quote.ts';
import { capabilityLines } from '../hosts/capability-table.ts';
import { adapters } from '../hosts/registry.ts';
import { KEY_SECRET } from '../hosts/secrets.ts';
import { invocation } from '../io/invocation.ts';
import { checkOptions, printFindings } from './findings.ts';
import type { FlagValues } from './flags.ts';
import type { Run } from './registry.ts';
import { repeated } from './site-root.ts';

/** Signals that stop a build, with its exit code then: 128 and the number of the signal, as shells have it. */
const STOPPED = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export const run: Run = async (flags) => {
  const stop = new AbortController();
  const listeners = Object.entries(STOPPED).map(
    ([signal, code]) => [signal, () => stop.abort(new Stopped(signal, code))] as const,
  );
  // Once: a second signal ends the process at once, and the next build clears up.
  for (const [signal, listener] of listeners) process.once(signal, listener);
  const code = await buildAndReport(flags, stop.signal)
    .catch((error: unknown) => {
      if (!(error instanceof Stopped)) throw error;
      process.stderr.write(`themecast: stopped by ${error.signal}; ${flags.out}/ is as it was.\n`);
      return error.code;
    })
    .finally(() => {
      for (const [signal, listener] of listeners) process.removeListener(signal, listener);
    });
  // It had been decided on when the signal came.
  return stop.signal.reason instanceof Stopped ? stop.signal.reason.code : code;
};

class Stopped extends Error {
  readonly signal: string;
  readonly code: number;

  constructor(signal: string, code: number) {
    super(`stopped by ${signal}`);
    this.signal = signal;
    this.code = code;
  }
}

async function buildAndReport(flags: FlagValues, signal: AbortSignal): Promise<number> {
  const started = performance.now();
  const { out = '', 'edge-out': edgeOut = '' } = flags;
  const progress = progressLine(flags);
  const result = await build({
    ...checkOptions(flags),
    outDir: out,
    edgeOutDir: edgeOut,
    keySecret: process.env[KEY_SECRET],
    previousEdgeDir: flags.previous,
    releases: flags.releases,
    allowShrink: flags['allow-shrink'],
    onProgress: progress.show,
    signal,
  }).finally(progress.clear);
  const { ok, themes, users, files, rendered, cached } = result;
  const seconds = (performance.now() - started) / 1000;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const published = ok && files.length > 0;
  printFindings(
    result,
    flags,
    {
      ok: published,
      themes: themes.length,
      users,
      rendered,
      cached,
      files: files.length,
      bytes,
      foreign: result.foreign,
    },
    published ? summary(result, flags, bytes, seconds) : `✘ Nothing was written; ${out}/ is as it was.\n`,
  );
  return published ? 0 : 1;
}

function summary(
  { themes, users, files, hosts, foreign, rendered, cached }: BuildResult,
  flags: FlagValues,
  bytes: number,
  seconds: number,
): string {
  const { out = '', 'edge-out': edgeOut = '', releases } = flags;
  const media = files.filter(({ cacheClass }) => cacheClass === 'immutable').length;
  const live = releases ? 'current/' : '';
  return [
    `✔ ${count(themes.length, 'theme')} checked, ${count(rendered, 'picture')} rendered, ${cached.toLocaleString('en')} from the cache`,
    `✔ ${out}/${live}   ${count(files.length, 'file')}, ${(bytes / 1e6).toFixed(1)} MB: upload the ${count(media, 'file')} of phase 1 in manifest.json first, then the rest`,
    `✔ ${edgeOut}/${live}   rewrite rules and ${count(users, 'user')} with a theme of their own: private, for the host alone`,
    ...(foreign.length === 0 ? [] : [`! ${foreignLine(foreign)}`]),
    `  ${seconds.toFixed(1)} s`,
    '',
    ...(flags.verbose ? hosts.flatMap((host) => [...capabilityLines(adapters[host]), '']) : []),
    `Next: \`${invocation('serve', repeated(flags, ['out', 'edge-out']))}\` shows the site on this machine.`,
    ...hosts.map((host) => `      ${edgeOut}/${live}${host}/README.md says how to deploy it.`),
    '',
  ].join('\n');
}

/** Foreign files that are named in one line. */
const MOST_NAMED = 5;

function foreignLine(foreign: readonly string[]): string {
  const named = foreign.slice(0, MOST_NAMED).map((file) => printable(path.relative('', file)));
  const more = foreign.length > named.length ? ` and ${foreign.length - named.length} more` : '';
  return `${count(foreign.length, 'file')} that themecast did not make, left alone: ${named.join(', ')}${more}`;
}

/** One line on a terminal that is written over; nothing where output is kept. */
function progressLine({ quiet }: FlagValues): { show: (done: number, all: number) => void; clear: () => void } {
  const { stderr } = process;
  const visible = stderr.isTTY && !quiet;
  return {
    show: (done, all) => {
      if (visible) stderr.write(`\r\u001b[K${done} of ${all} pictures`);
    },
    clear: () => {
      if (visible) stderr.write('\r\u001b[K');
    },
  };
}
