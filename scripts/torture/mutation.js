// Mutation tests: how many small changes of validators and emitters a test notices. Stryker is no dependency, so say where it is:
//   npm install --prefix FOLDER @stryker-mutator/core@9.6.1 @stryker-mutator/vitest-runner@9.6.1 vitest@4.1.12
//   node scripts/torture/mutation.js FOLDER [GROUP …]
// An hour or so on two cores. What survived is in `.cache/stryker/GROUP.txt`. Changes outside functions (constants, schemas) take a run of
// all tests each; only `site`, which is made of them, tries them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/**
 * What is changed, and the tests that are to notice: all of them run in this process and in moments.
 * @type {Record<string, { mutate: string, tests: string, constants?: boolean }>}
 */
const GROUPS = {
  source: { mutate: 'src/source/*.ts', tests: 'test/unit/source/*.test.ts' },
  site: {
    mutate: 'src/theme/site.ts,src/theme/identity.ts',
    tests: 'test/unit/theme/site.test.ts,test/unit/theme/identity.test.ts',
    constants: true,
  },
  theme: {
    mutate: 'src/theme/validate.ts,src/theme/resolve.ts',
    tests: 'test/unit/theme/validate.test.ts,test/unit/theme/resolve.test.ts',
  },
  colour: { mutate: 'src/theme/colour*.ts', tests: 'test/unit/theme/colour.test.ts' },
  mapping: { mutate: 'src/mapping/*.ts', tests: 'test/unit/mapping/*.test.ts' },
  svg: { mutate: 'src/image/svg/*.ts', tests: 'test/unit/image/svg*.test.ts' },
  edge: { mutate: 'src/edge/*/text.ts,src/edge/fastly/vcl/text.ts', tests: 'test/unit/edge/*.test.ts' },
};

/** Least share of changes that are to be noticed. */
const WANTED = 0.85;

const [stryker, ...asked] = process.argv.slice(2);
if (stryker === undefined) throw new Error('Say where Stryker is installed: see the head of this file.');
const modules = path.join(path.resolve(stryker), 'node_modules/@stryker-mutator');
const cache = path.resolve('.cache/stryker');
mkdirSync(cache, { recursive: true });

const sum = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0 };
for (const [name, { mutate, tests, constants = false }] of Object.entries(GROUPS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const config = JSON.parse(readFileSync('scripts/torture/stryker.config.json', 'utf8'));
  const report = path.join(cache, `${name}.json`);
  const own = {
    ...config,
    mutate: mutate.split(','),
    ignoreStatic: !constants,
    plugins: [path.join(modules, 'vitest-runner/dist/src/index.js')],
    jsonReporter: { fileName: report },
  };
  const file = path.join(cache, `${name}.config.json`);
  writeFileSync(file, JSON.stringify(own));
  const { status, stdout } = spawnSync(process.execPath, [path.join(modules, 'core/bin/stryker.js'), 'run', file], {
    encoding: 'utf8',
    env: { ...process.env, MUTATION_TESTS: tests },
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  writeFileSync(path.join(cache, `${name}.txt`), stdout);
  if (status !== 0) throw new Error(`Stryker failed: see .cache/stryker/${name}.txt.`);
  /** @type {{ files: Record<string, { mutants: { status: string }[] }> }} */
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  for (const [of, { mutants }] of Object.entries(files)) {
    const counts = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0 };
    for (const mutant of mutants)
      if (mutant.status in counts) counts[/** @type {keyof typeof counts} */ (mutant.status)]++;
    for (const key of /** @type {(keyof typeof counts)[]} */ (Object.keys(counts))) sum[key] += counts[key];
    process.stdout.write(`${of}: ${told(counts)}\n`);
  }
}
const { noticed, all } = shares(sum);
process.stdout.write(`torture mutation: ${told(sum)}\n`);
process.exitCode = noticed / all >= WANTED ? 0 : 1;

/** @param {typeof sum} counts */
function shares(counts) {
  const noticed = counts.Killed + counts.Timeout;
  return { noticed, all: noticed + counts.Survived + counts.NoCoverage };
}

/** @param {typeof sum} counts */
function told(counts) {
  const { noticed, all } = shares(counts);
  const { Timeout: endless, Survived: survived, NoCoverage: unreached } = counts;
  return `${noticed} of ${all} noticed (${((100 * noticed) / all).toFixed(1)} %), ${endless} of them as endless; ${survived} survived, ${unreached} not reached`;
}
