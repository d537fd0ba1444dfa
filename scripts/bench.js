// `npm run bench -- [--themes DIR] [--rounds N]`: the cost of a build, compared with its peers, in interleaved rounds of one run.
// Absolute times differ between machines; only the ratios are comparable. Needs the Debian packages time and libvips-tools.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
const project = path.resolve(import.meta.dirname, '..');
const cli = path.join(project, 'lib/cli.js');
const folder = mkdtempSync(path.join(tmpdir(), 'themecast-bench-'));
const at = (/** @type {string} */ name) => path.join(folder, name);

/** @param {string[]} args */
const themecast = (...args) => ['node', cli, ...args, '--themes', themes];
/** @param {string} cache */
function build(cache, program = cli) {
  const output = ['--out', at('dist'), '--edge-out', at('edge'), '--cache', at(cache)];
  return ['node', program, 'build', '--quiet', '--themes', themes, ...output];
}

/** The same program decoding images in its own process; the difference is the cost of the decoder processes. */
function inOneProcess() {
  const copy = at('in-one-process');
  cpSync(path.join(project, 'lib'), path.join(copy, 'lib'), { recursive: true });
  cpSync(path.join(project, 'package.json'), path.join(copy, 'package.json'));
  symlinkSync(path.join(project, 'node_modules'), path.join(copy, 'node_modules'));
  const pool = `
    import { draw } from './draw.js';
    export class Decoders {
      run = (job) => draw(job).catch(() => 'does not decode');
      close() {}
    }`;
  writeFileSync(path.join(copy, 'lib/io/decoder/pool.js'), pool);
  return path.join(copy, 'lib/cli.js');
}
const unprotected = inOneProcess();

/** The lower bound: libvips' own command-line tool for the same thumbnails, copies and hashes; no checks, no documents. */
function vipsthumbnail() {
  const images = readdirSync(themes, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:png|jpe?g|webp)$/.test(file))
    .map((file) => path.join(themes, file));
  const banners = images.filter((file) => /banner/.test(file)).join(' ');
  const logos = images.filter((file) => /logo-site/.test(file)).join(' ');
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
    name: 'the same, decoding in one process',
    command: () => build('cold', unprotected),
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
