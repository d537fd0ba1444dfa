import { statSync } from 'node:fs';
import path from 'node:path';
import type { BuildStage, BuildSuccess } from '../../compiler/api.ts';
import { defineCommand, type ValuesOf } from '../../system/command-line/command.ts';
import { FLAGS } from '../../system/command-line/flags.ts';
import { checkOptions, printReport, progressLine, whyNot } from '../../compiler/report.ts';
import { repeatedFlags } from '../../system/command-line/site-root.ts';
import { count, grouped, printable } from '../../core/diagnostics/quote.ts';
import { KEY_SECRET } from '../../hosts/contract/secrets.ts';
import { invocation, shellWord } from '../../system/command-line/invocation.ts';

const flags = {
  themes: FLAGS.themes,
  users: FLAGS.users,
  out: FLAGS.out,
  'edge-out': FLAGS['edge-out'],
  commit: { type: 'string', value: 'SHA', about: 'Commit of the themes, which `deploy` records (HEAD)' },
  'allow-shrink': { type: 'boolean', about: 'Publish even if many themes or users would disappear' },
  cache: FLAGS.cache,
  'no-cache': FLAGS['no-cache'],
  'base-url': FLAGS['base-url'],
  strict: FLAGS.strict,
  quiet: FLAGS.quiet,
  format: FLAGS.format,
  timings: { type: 'boolean', about: 'Print how long each stage took' },
  verbose: { ...FLAGS.verbose, about: 'Print every diagnostic in full, and what each host can do' },
} as const;

type BuildFlags = ValuesOf<typeof flags>;

/** Signals that stop a build, and the exit code: 128 plus the number of the signal, as in shells. */
const STOP_SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export const command = defineCommand({
  examples: ['build', 'build --strict --users export.csv'],
  flags,
  async run(values) {
    const stop = new AbortController();
    const listeners = Object.entries(STOP_SIGNALS).map(
      ([signal, code]) => [signal, () => stop.abort(new Stopped(signal, code))] as const,
    );
    // Only once: a second signal ends the process immediately, and the next build cleans up.
    for (const [signal, listener] of listeners) process.once(signal, listener);
    const code = await buildAndReport(values, stop.signal)
      .catch((error: unknown) => {
        if (!(error instanceof Stopped)) throw error;
        process.stderr.write(`themecast: stopped by ${error.signal}; ${values.out}/ is unchanged.\n`);
        return error.code;
      })
      .finally(() => {
        for (const [signal, listener] of listeners) process.removeListener(signal, listener);
      });
    // The publication had already been decided when the signal came.
    return stop.signal.reason instanceof Stopped ? stop.signal.reason.code : code;
  },
});

class Stopped extends Error {
  readonly signal: string;
  readonly code: number;

  constructor(signal: string, code: number) {
    super(`stopped by ${signal}`);
    this.signal = signal;
    this.code = code;
  }
}

async function buildAndReport(values: BuildFlags, signal: AbortSignal): Promise<number> {
  const startTime = performance.now();
  const library = await import('../../compiler/build.ts');
  const progress = progressLine(values.quiet);
  const stages: [stage: BuildStage, began: number][] = [];
  const result = await library
    .build({
      ...(await checkOptions(values)),
      outDir: values.out,
      edgeOutDir: values['edge-out'],
      keySecret: process.env[KEY_SECRET],
      commit: values.commit,
      allowShrink: values['allow-shrink'],
      onProgress: progress.show,
      onStage: (stage) => stages.push([stage, performance.now()]),
      signal,
    })
    .finally(progress.clear);
  const { ok, themes, users } = result;
  const { rendered, cached, files, bytes, foreign } = ok ? result : NOTHING_PUBLISHED;
  const timings = values.timings ? millisecondsOf(stages) : undefined;
  const figures = { ok, themes, users, rendered, cached, files, bytes, foreign, timings };
  const text = ok
    ? [...summaryLines(result, values), ...timeLines(startTime, timings), ...nextLines(result, values)].join('\n')
    : `✘ Nothing was written; ${values.out}/ is unchanged: ${whyNot(result)}.\n`;
  await printReport(result, values, figures, text);
  return ok ? 0 : 1;
}

const NOTHING_PUBLISHED = { rendered: 0, cached: 0, files: 0, bytes: 0, foreign: [] };

function summaryLines(
  { themes, users, files, bytes, foreign, rendered, cached }: BuildSuccess,
  { out, 'edge-out': edgeOut }: BuildFlags,
): string[] {
  return [
    `✔ ${count(themes, 'theme')} checked, ${count(rendered, 'image')} rendered, ${grouped(cached)} from the cache`,
    `✔ ${out}/   ${count(files, 'file')}, ${(bytes / 1e6).toFixed(1)} MB. \`themecast deploy\` uploads them; by hand, upload \`media/\` first, then the rest`,
    ...privateLines(out),
    `✔ ${edgeOut}/   rewrite rules and ${count(users, 'user')} with an assigned theme: private, for the host only`,
    ...(foreign.length === 0 ? [] : [`! ${foreignLine(foreign)}`]),
  ];
}

/** Warns if other users cannot read the output, as with a strict umask: a web server is one of them. */
function privateLines(out: string): string[] {
  const isReadable = process.platform === 'win32' || (statSync(out).mode & 0o005) === 0o005;
  return isReadable
    ? []
    : [
        `! Only you can read ${out}/, so a web server cannot: run \`chmod -R a+rX ${shellWord(out)}\`, and next time \`umask 022\` first`,
      ];
}

/** Returns how long each stage took, in milliseconds: until the next one began. */
function millisecondsOf(stages: readonly (readonly [stage: BuildStage, began: number])[]): Record<string, number> {
  const ends = [...stages.slice(1).map(([, began]) => began), performance.now()];
  const timings: Record<string, number> = {};
  for (const [at, [stage, began]] of stages.entries())
    timings[stage] = (timings[stage] ?? 0) + Math.round((ends[at] ?? began) - began);
  return timings;
}

function timeLines(startTime: number, timings: Readonly<Record<string, number>> = {}): string[] {
  const stages = Object.entries(timings).map(([stage, time]) => `  ${stage.padEnd(9)} ${time} ms`);
  return [...stages, `  ${((performance.now() - startTime) / 1000).toFixed(1)} s`, ''];
}

function nextLines({ hosts }: BuildSuccess, { out, 'edge-out': edgeOut }: BuildFlags): string[] {
  return [
    `Next: \`${invocation('serve', repeatedFlags({ out, 'edge-out': edgeOut }))}\` shows the site on this machine.`,
    ...hosts.map((host) => `      ${edgeOut}/${host}/README.md explains how to deploy it.`),
    '',
  ];
}

const MAX_LISTED_FILES = 5;

function foreignLine(foreign: readonly string[]): string {
  const names = foreign.slice(0, MAX_LISTED_FILES).map((file) => printable(path.relative('', file)));
  const more = foreign.length > names.length ? ` and ${foreign.length - names.length} more` : '';
  return `${count(foreign.length, 'file')} not made by themecast, left alone: ${names.join(', ')}${more}`;
}
