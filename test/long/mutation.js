// Mutation tests: the share of small changes in validators and emitters that a test detects. Stryker is no dependency; pass its folder:
//   npm install --prefix FOLDER @stryker-mutator/core@9.6.1 @stryker-mutator/vitest-runner@9.6.1 vitest@4.1.12
//   node test/long/mutation.js FOLDER [PART OF A PATH …]
// Takes about an hour on two cores. Survivors are listed in `.cache/stryker/*.txt`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** Mutants outside functions, of constants and schemas, need a run of all tests each, so they are tried only where there are few. */
const WITH_CONSTANTS = new Set(['src/theme/site.ts', 'src/theme/identity.ts']);

/** The mutated files and the tests that must detect the changes; fewer tests take less time. */
const RUNS = Object.entries({
  'src/source/*.ts': 'test/unit/source/*.test.ts',
  'src/theme/site.ts': 'test/unit/theme/site.test.ts',
  'src/theme/identity.ts': 'test/unit/theme/identity.test.ts',
  'src/theme/validate.ts': 'test/unit/theme/validate.test.ts',
  'src/theme/resolve.ts': 'test/unit/theme/resolve.test.ts',
  'src/theme/colour*.ts': 'test/unit/theme/colour.test.ts',
  'src/users/csv.ts': 'test/unit/users/csv.test.ts',
  'src/users/diagnostics.ts': 'test/unit/users/diagnostics.test.ts',
  'src/users/key*.ts': 'test/unit/users/key.test.ts',
  'src/users/{mapping,ndjson,pairs}.ts': 'test/unit/users/mapping.test.ts',
  'src/users/row-scanner.ts': 'test/unit/users/row-scanner.test.ts',
  'src/users/dedupe.ts': 'test/unit/users/dedupe.test.ts',
  'src/users/shards.ts': 'test/unit/users/shards.test.ts',
  'src/users/users-yaml.ts': 'test/unit/users/users-yaml.test.ts',
  'src/users/without-keys.ts': 'test/unit/users/without-keys.test.ts',
  'src/hosts/contract.ts': 'test/unit/hosts/contract.test.ts',
  'src/image/svg/*.ts': 'test/unit/image/svg*.test.ts',
  'src/hosts/*/syntax.ts': 'test/unit/hosts/syntax.test.ts',
});

/** Minimum share of mutants that must be detected. */
const MIN_SHARE = 0.85;

const [stryker, ...parts] = process.argv.slice(2);
if (stryker === undefined) throw new Error('Pass the folder of Stryker: see the comment at the top of this file.');
const modules = path.join(path.resolve(stryker), 'node_modules/@stryker-mutator');
const cache = path.resolve('.cache/stryker');
mkdirSync(cache, { recursive: true });

const sum = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0 };
for (const [mutate, tests] of RUNS) {
  if (parts.length > 0 && !parts.some((part) => mutate.includes(part))) continue;
  const name = path.join(cache, mutate.replaceAll(/[^a-z]+/g, '-'));
  const own = {
    ...JSON.parse(readFileSync('test/long/stryker.config.json', 'utf8')),
    mutate: [mutate],
    ignoreStatic: !WITH_CONSTANTS.has(mutate),
    plugins: [path.join(modules, 'vitest-runner/dist/src/index.js')],
    jsonReporter: { fileName: `${name}.json` },
  };
  const file = `${name}.config.json`;
  writeFileSync(file, JSON.stringify(own));
  const { status, stdout } = spawnSync(process.execPath, [path.join(modules, 'core/bin/stryker.js'), 'run', file], {
    encoding: 'utf8',
    env: { ...process.env, MUTATION_TESTS: tests },
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  writeFileSync(`${name}.txt`, stdout);
  if (status !== 0) throw new Error(`Stryker failed: see ${name}.txt.`);
  /** @type {{ files: Record<string, { mutants: { status: string }[] }> }} */
  const { files } = JSON.parse(readFileSync(`${name}.json`, 'utf8'));
  for (const [of, { mutants }] of Object.entries(files)) {
    const counts = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0 };
    for (const mutant of mutants)
      if (mutant.status in counts) counts[/** @type {keyof typeof counts} */ (mutant.status)]++;
    for (const key of /** @type {(keyof typeof counts)[]} */ (Object.keys(counts))) sum[key] += counts[key];
    process.stdout.write(`${of}: ${formatCounts(counts)}\n`);
  }
}
const { detected, all } = shares(sum);
process.stdout.write(`stress mutation: ${formatCounts(sum)}\n`);
process.exitCode = detected / all >= MIN_SHARE ? 0 : 1;

/** @param {typeof sum} counts */
function shares(counts) {
  const detected = counts.Killed + counts.Timeout;
  return { detected, all: detected + counts.Survived + counts.NoCoverage };
}

/** @param {typeof sum} counts */
function formatCounts(counts) {
  const { detected, all } = shares(counts);
  const { Timeout: endless, Survived: survived, NoCoverage: uncovered } = counts;
  return `${detected} of ${all} detected (${((100 * detected) / all).toFixed(1)} %), ${endless} of them by timeout; ${survived} survived, ${uncovered} not covered`;
}
