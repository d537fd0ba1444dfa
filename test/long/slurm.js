// `node test/long/slurm.js`: renders a site as a job array under Slurm, whose daemons run on the loopback interface for the time of
// the test: every task with a cache of its own, then all with one; then with a task that fails and is repeated. What is published must
// be what one process publishes. Needs slurm-wlm from Debian, and root. `--tasks N` for another number.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { build } from '../../lib/index.js';
import { themeFields, yamlOf } from '../theme-yaml.js';
import { foldersOf, hashesOf, scratch } from './site.js';

const { values } = parseArgs({ options: { tasks: { type: 'string', default: '8' } } });
const tasks = Number(values.tasks);
const CLI = path.join(import.meta.dirname, '../../lib/cli.js');
/** The task that fails at first. */
const FAILING = 3;

const root = scratch('slurm');
const config = path.join(root, 'slurm/slurm.conf');
process.env['SLURM_CONF'] = config;
const { themesDir, outDir } = foldersOf(root);
/** @type {string[]} */
const problems = [];
let figures = '';
const stop = await startSlurm();
try {
  await writeThemes();
  const { rendered } = await build({ ...foldersOf(root), cacheDir: path.join(root, 'alone') });
  const wanted = JSON.stringify(hashesOf(outDir));

  const own = runArray('own', '--cache own-$SLURM_ARRAY_TASK_ID', `1-${tasks}`);
  expectShares('own', own, rendered);
  mkdirSync(path.join(root, 'merged'));
  for (let task = 1; task <= tasks; task++) execFileSync('cp', ['-r', `own-${task}/.`, 'merged'], { cwd: root });
  expectPublished('own', 'merged', wanted);

  // Numbered from 0, in steps.
  const shared = runArray('shared', '--cache shared', `0-${(tasks - 1) * 5}:5`);
  expectShares('shared', shared, rendered);
  expectPublished('shared', 'shared', wanted);

  runArray(
    'failing',
    `--cache failing $([ "$SLURM_ARRAY_TASK_ID" = ${FAILING} ] && echo --themes nowhere)`,
    `1-${tasks}`,
  );
  const incomplete = publish('failing');
  if (incomplete.status !== 1 || !incomplete.stdout.includes('image/not-cached') || existsSync(outDir))
    problems.push(`failing: ended with ${incomplete.status}: ${incomplete.stdout}${incomplete.stderr}`);
  runArray('repeated', '--cache failing', String(FAILING), `${FAILING}/${tasks}`);
  expectPublished('repeated', 'failing', wanted);
  figures = `3 arrays of ${tasks} tasks, ${rendered} images, none rendered twice, 1 failed task found and repeated`;
} finally {
  await stop();
  rmSync(root, { recursive: true, force: true });
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`stress slurm: ${figures}, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 && figures !== '' ? 0 : 1;

/**
 * Runs an array of `themecast render` and waits for its end; each task as on a machine of its own.
 * @param {string} name @param {string} flags @param {string} array @param {string} [shard]
 * @returns {{ rendered: number, cached: number, left: number }[]} what each task reports
 */
function runArray(name, flags, array, shard = 'auto') {
  const output = path.join(root, name);
  const script = `export XDG_STATE_HOME=${root}/machine-$SLURM_ARRAY_TASK_ID
${process.execPath} ${CLI} render --format json --shard ${shard} ${flags} >${output}-$SLURM_ARRAY_TASK_ID.json`;
  const { status, stderr } = spawnSync(
    'sbatch',
    ['--wait', `--array=${array}`, `--chdir=${root}`, `--output=${output}-%a.log`, '--wrap', script],
    { encoding: 'utf8', timeout: 300_000 },
  );
  const [first = 0, last = first, step = 1] = (/^(\d+)(?:-(\d+))?(?::(\d+))?$/.exec(array) ?? [])
    .slice(1)
    .map((text) => (text === undefined ? undefined : Number(text)));
  const ids = Array.from({ length: (last - first) / step + 1 }, (_, at) => first + at * step);
  const logs = ids.map((id) => readFileSync(`${output}-${id}.log`, 'utf8'));
  if ((status !== 0) !== (name === 'failing'))
    problems.push(`${name}: sbatch ended with ${status}: ${stderr}${logs.join('')}`);
  return ids.map((id) => JSON.parse(readFileSync(`${output}-${id}.json`, 'utf8')));
}

/** @param {string} name @param {ReturnType<typeof runArray>} shares @param {number} rendered */
function expectShares(name, shares, rendered) {
  const sum = shares.reduce((all, share) => all + share.rendered, 0);
  const isWhole =
    sum === rendered && shares.every((share) => share.cached === 0 && share.rendered + share.left === rendered);
  if (!isWhole || shares.length !== tasks) problems.push(`${name}: ${rendered} images, but ${JSON.stringify(shares)}`);
}

/** @param {string} cache */
function publish(cache) {
  for (const name of ['dist', 'edge', '.dist.history.json'])
    rmSync(path.join(root, name), { recursive: true, force: true });
  return spawnSync(process.execPath, [CLI, 'build', '--expect-cached', '--cache', cache, '--format', 'json'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, XDG_STATE_HOME: path.join(root, 'machine-publisher') },
  });
}

/** @param {string} name @param {string} cache @param {string} wanted */
function expectPublished(name, cache, wanted) {
  const { status, stdout, stderr } = publish(cache);
  if (status !== 0 || JSON.parse(stdout).rendered !== 0)
    problems.push(`${name}: ended with ${status}: ${stdout}${stderr}`);
  else if (JSON.stringify(hashesOf(outDir)) !== wanted) problems.push(`${name}: another output`);
}

async function writeThemes() {
  for (let index = 0; index < 12; index++) {
    const slug = `theme-${index}`;
    const folder = path.join(themesDir, slug);
    mkdirSync(folder, { recursive: true });
    const banners = ['default_group_banner', 'default_event_banner', 'default_user_profile_banner'];
    const images = Object.fromEntries(banners.map((field) => [field, `${field}.jpg`]));
    writeFileSync(
      path.join(folder, 'theme.yaml'),
      yamlOf(themeFields(slug, index, { favicon: 'logo.svg', ...images })),
    );
    const size = 40 + index;
    writeFileSync(
      path.join(folder, 'logo.svg'),
      `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}"><rect width="${size}" height="${size}" fill="#123456"/></svg>`,
    );
    for (const [at, name] of Object.values(images).entries()) {
      const noise = { type: /** @type {const} */ ('gaussian'), mean: 20 * at + index, sigma: 10 };
      const create = {
        width: 400 + 300 * at,
        height: 200 + 50 * index,
        channels: /** @type {const} */ (3),
        background: 'white',
        noise,
      };
      await sharp({ create }).jpeg().toFile(path.join(folder, name));
    }
  }
  writeFileSync(path.join(themesDir, 'site.yaml'), 'base_url: https://community.example.org\nedge: [nginx]\n');
}

/** Starts the daemons of Slurm for this machine alone. @returns {Promise<() => Promise<void>>} */
async function startSlurm() {
  if (spawnSync('slurmctld', ['-V']).status !== 0)
    throw new Error('Slurm is not installed: `apt-get install slurm-wlm`.');
  const folder = path.dirname(config);
  const at = (/** @type {string} */ name) => path.join(folder, name);
  for (const name of ['state', 'spool']) mkdirSync(at(name), { recursive: true });
  const host = hostname().split('.')[0];
  const settings = {
    ClusterName: 'test',
    SlurmctldHost: `${host}(127.0.0.1)`,
    SlurmUser: 'root',
    SlurmctldPort: await freePort(),
    SlurmdPort: await freePort(),
    // Of this test alone, on the loopback interface.
    AuthType: 'auth/none',
    CredType: 'cred/none',
    StateSaveLocation: at('state'),
    SlurmdSpoolDir: at('spool'),
    SlurmctldPidFile: at('slurmctld.pid'),
    SlurmdPidFile: at('slurmd.pid'),
    SlurmctldLogFile: at('slurmctld.log'),
    SlurmdLogFile: at('slurmd.log'),
    ProctrackType: 'proctrack/pgid',
    TaskPlugin: 'task/none',
    JobAcctGatherType: 'jobacct_gather/none',
    MpiDefault: 'none',
    ReturnToService: 2,
    SchedulerParameters: 'sched_interval=1,bf_interval=1',
    SelectType: 'select/cons_tres',
    SelectTypeParameters: 'CR_CPU',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(
    config,
    `${lines.join('')}NodeName=${host} NodeAddr=127.0.0.1 CPUs=2\nPartitionName=test Nodes=${host} Default=YES State=UP\n`,
  );
  const daemons = ['slurmctld', 'slurmd'].map((name) => spawn(name, ['-D', '-f', config], { stdio: 'ignore' }));
  const end = async () => {
    for (const daemon of daemons.toReversed()) {
      const ended = daemon.exitCode === null ? new Promise((resolve) => daemon.once('exit', resolve)) : undefined;
      daemon.kill();
      await ended;
    }
  };
  for (let tries = 0; tries < 60; tries++) {
    if (spawnSync('sinfo', ['--noheader', '--format=%T'], { encoding: 'utf8' }).stdout.trim() === 'idle') return end;
    await sleep(500);
  }
  const logs = ['slurmctld.log', 'slurmd.log'].map((name) =>
    existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '',
  );
  await end();
  throw new Error(`Slurm does not start:\n${logs.join('')}`);
}

/** Below the ephemeral ports, of which an outgoing connection could take one. @returns {Promise<number>} */
async function freePort() {
  const port = 10_000 + Math.floor(Math.random() * 20_000);
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await new Promise((resolve) => {
    server.once('listening', () => resolve(true));
    server.once('error', () => resolve(false));
  });
  if (!isFree) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
