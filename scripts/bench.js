// `npm run bench -- [--themes DIR] [--rounds N]`: what a build costs, against its peers, in interleaved rounds of one run.
// Absolute times drift from machine to machine; only the ratios mean something. Needs the Debian packages time and libvips-tools.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { measure } from './measure.js';

const { values } = parseArgs({
  options: { themes: { type: 'string', default: 'themes' }, rounds: { type: 'string', default: '5' } },
});
const themes = path.resolve(values.themes);
const rounds = Number(values.rounds);
const cli = path.resolve(import.meta.dirname, '../lib/cli.js');
const folder = mkdtempSync(path.join(tmpdir(), 'themecast-bench-'));
const at = (/** @type {string} */ name) => path.join(folder, name);

/** @param {string[]} args */
const themecast = (...args) => ['node', cli, ...args, '--themes', themes];
const build = (/** @type {string} */ cache) =>
  themecast('build', '--quiet', '--out', at('dist'), '--edge-out', at('edge'), '--cache', at(cache));

/** The floor: libvips' own command line tool for the same thumbnails, copies and hashes of everything; no checks, no documents. */
function vipsthumbnail() {
  const pictures = readdirSync(themes, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:png|jpe?g|webp)$/.test(file))
    .map((file) => path.join(themes, file));
  const banners = pictures.filter((file) => /banner/.test(file)).join(' ');
  const logos = pictures.filter((file) => /logo-site/.test(file)).join(' ');
  const script = `mkdir -p ${at('vips')} && cp -r ${themes}/. ${at('vips')} &&
    { vipsthumbnail ${banners} --size '2200x2200>' --rotate -o '${at('vips')}/%s-%d.jpg[Q=80,strip]' & ${
      logos === '' ? 'true' : `vipsthumbnail ${logos} --size '250x250>' -o '${at('vips')}/%s-t.png[strip]'`
    }; wait; } &&
    find ${at('vips')} -type f -exec sha256sum {} + >/dev/null`;
  return ['bash', '-c', script];
}

/** @type {{ name: string, command: () => string[], before?: () => void }[]} */
const contestants = [
  { name: 'node -e 0', command: () => ['node', '-e', '0'] },
  { name: 'themecast --help', command: () => ['node', cli, '--help'] },
  { name: 'themecast check, warm', command: () => themecast('check', '--quiet', '--cache', at('warm')) },
  { name: 'themecast build, warm', command: () => build('warm') },
  {
    name: 'themecast build, cold',
    command: () => build('cold'),
    before: () => rmSync(at('cold'), { recursive: true, force: true }),
  },
  {
    name: 'vipsthumbnail + cp + sha256sum',
    command: vipsthumbnail,
    before: () => rmSync(at('vips'), { recursive: true, force: true }),
  },
];

/** @param {number[]} numbers */
function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

try {
  mkdirSync(at('warm'));
  await measure(build('warm')); // fills the cache
  const results = new Map(
    contestants.map(({ name }) => [name, /** @type {Awaited<ReturnType<typeof measure>>[]} */ ([])]),
  );
  for (let round = 0; round < rounds; round++) {
    for (const { name, command, before } of contestants) {
      before?.();
      results.get(name)?.push(await measure(command()));
    }
  }
  const floor = median((results.get('vipsthumbnail + cp + sha256sum') ?? []).map(({ cpu }) => cpu));
  const rows = [...results].map(([name, runs]) => {
    const cpu = median(runs.map((run) => run.cpu));
    const wall = median(runs.map((run) => run.wall));
    const memory = median(runs.map((run) => run.megabytes));
    return `| ${name} | ${wall.toFixed(2)} | ${cpu.toFixed(2)} | ${(cpu / floor).toFixed(2)} | ${memory.toFixed(0)} |`;
  });
  process.stdout.write(
    `\n| ${rounds} rounds | wall s | CPU s | CPU ratio | peak MiB |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
