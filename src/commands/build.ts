import { build, type BuildResult } from '../build.ts';
import { count } from '../diagnostics/quote.ts';
import { capabilityLines } from '../edge/capability-table.ts';
import { adapters } from '../edge/registry.ts';
import { KEY_SECRET } from '../edge/secrets.ts';
import { checkOptions, printFindings } from './findings.ts';
import { FLAGS, type FlagValues } from './flags.ts';
import type { Run } from './registry.ts';

export const run: Run = async (flags) => {
  const started = performance.now();
  const { out = '', 'edge-out': edgeOut = '' } = flags;
  const progress = progressLine(flags);
  const result = await build({
    ...checkOptions(flags),
    outDir: out,
    edgeOutDir: edgeOut,
    keySecret: process.env[KEY_SECRET],
    previousEdgeDir: flags.previous,
    onProgress: progress.show,
  }).finally(progress.clear);
  const { ok, themes, users, files, rendered, cached } = result;
  const seconds = (performance.now() - started) / 1000;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const published = ok && files.length > 0;
  printFindings(
    result,
    flags,
    { ok: published, themes: themes.length, users, rendered, cached, files: files.length, bytes },
    published ? summary(result, out, edgeOut, bytes, seconds) : `✘ Nothing was written; ${out}/ is as it was.\n`,
  );
  return published ? 0 : 1;
};

function summary(
  { themes, users, files, hosts, rendered, cached }: BuildResult,
  out: string,
  edgeOut: string,
  bytes: number,
  seconds: number,
): string {
  const media = files.filter(({ cacheClass }) => cacheClass === 'immutable').length;
  const elsewhere = `${given('out', out)}${given('edge-out', edgeOut)}`;
  return [
    `✔ ${count(themes.length, 'theme')} checked, ${count(rendered, 'picture')} rendered, ${cached.toLocaleString('en')} from the cache`,
    `✔ ${out}/   ${count(files.length, 'file')}, ${(bytes / 1e6).toFixed(1)} MB: upload the ${count(media, 'file')} of phase 1 in manifest.json first, then the rest`,
    `✔ ${edgeOut}/   rewrite rules and ${count(users, 'user')} with a theme of their own: private, for the host alone`,
    `  ${seconds.toFixed(1)} s`,
    '',
    ...hosts.flatMap((host) => capabilityLines(adapters[host])),
    ...(hosts.length === 0 ? [] : ['']),
    `Next: \`themecast serve${elsewhere}\` shows the site on this machine.`,
    ...hosts.map((host) => `      ${edgeOut}/${host}/README.md says how to deploy it.`),
    '',
  ].join('\n');
}

/** A flag as it has to be repeated for another command: not at all if it is the default. */
function given(flag: 'out' | 'edge-out', value: string): string {
  return value === FLAGS[flag].default ? '' : ` --${flag} ${value}`;
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
