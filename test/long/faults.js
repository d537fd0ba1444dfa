// `node test/long/faults.js`: a build fails or is killed at its nth system call, for every n of every group of calls.
// The output must be intact at once, and equal to the new build after the next run. Needs the Debian package strace,
// and the right to trace (root, or kernel.yama.ptrace_scope 0). `--every=N` tests every Nth fault, `--first=N` at most N of them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { violationsIn, differenceFrom, foldersOf, outputOf, scratch, writeThemes } from './site.js';

const { build } = /** @type {typeof import('../../lib/index.js')} */ (
  await import(new URL('../../lib/bundle/index.js', import.meta.url).href)
);

const { values } = parseArgs({
  options: { every: { type: 'string', default: '1' }, first: { type: 'string', default: 'Infinity' } },
});

/** The system calls of each group, and the faults that are injected. */
const GROUPS = {
  openat: ['openat', 'ENOSPC', 'EIO', 'EACCES', 'EMFILE', 'kill'],
  write: ['write,pwrite64,writev', 'ENOSPC', 'EIO', 'kill'],
  rename: ['rename,renameat2', 'ENOSPC', 'EIO', 'EXDEV', 'kill'],
  mkdir: ['mkdir,mkdirat', 'ENOSPC', 'EROFS', 'kill'],
  unlink: ['unlink,unlinkat,rmdir', 'EIO', 'EACCES', 'kill'],
  fsync: ['fsync,fdatasync', 'ENOSPC', 'EIO', 'kill'],
  symlink: ['symlink,symlinkat,link,linkat', 'ENOSPC', 'EIO', 'kill'],
};

const folder = scratch('faults');
const base = path.join(folder, 'base');
const counts = { faults: 0, killed: 0, aborted: 0, rejected: 0, unharmed: 0 };
/** @type {string[]} */
const problems = [];

try {
  writeThemes(base, 'b');
  await build(foldersOf(base));
  const b = outputOf(base);
  for (const tree of ['dist', 'edge']) rmSync(path.join(base, tree), { recursive: true });
  writeThemes(base, 'a');
  await build(foldersOf(base));
  const a = outputOf(base);
  writeThemes(base, 'b');

  /** @type {{ calls: string, fault: string, n: number }[]} */
  const faults = [];
  for (const [calls = '', ...kinds] of Object.values(GROUPS)) {
    const numbers = await relevantCalls(calls);
    process.stderr.write(`${calls}: ${numbers.length} calls\n`);
    for (const fault of kinds) for (const n of numbers) faults.push({ calls, fault, n });
  }
  const chosen = faults.filter((_, index) => index % Number(values.every) === 0).slice(0, Number(values.first));
  await Promise.all([0, 1].map((worker) => injectFaults(worker, chosen, a, b)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(
  `stress faults: ${counts.faults} injected, ${counts.killed} killed, ${counts.aborted} aborted, ${counts.rejected} rejected, ${counts.unharmed} unharmed, ${problems.length} problems\n`,
);
process.exitCode = problems.length === 0 && counts.faults > 0 ? 0 : 1;

/** @param {number} worker @param {{ calls: string, fault: string, n: number }[]} faults @param {ReturnType<typeof outputOf>} a @param {ReturnType<typeof outputOf>} b */
async function injectFaults(worker, faults, a, b) {
  for (let fault = faults.shift(); fault !== undefined; fault = faults.shift()) {
    const site = path.join(folder, `site-${worker}`);
    const { calls, fault: kind, n } = fault;
    const name = `${calls} ${kind} ${n}`;
    const report = (/** @type {string[]} */ messages) => {
      for (const problem of messages) process.stderr.write(`${name}: ${problem}\n`);
      problems.push(...messages);
    };
    rmSync(site, { recursive: true, force: true });
    cpSync(base, site, { recursive: true, preserveTimestamps: true });
    const action = kind === 'kill' ? 'signal=SIGKILL' : `error=${kind}`;
    const { code, signal, stderr } = await faultyBuild(site, [
      '-e',
      `trace=${calls}`,
      '-e',
      `inject=${calls}:${action}:when=${n}`,
    ]);
    counts.faults++;
    // An error in the pipes of Node's own event loop ends the process with SIGABRT, which is also a kill.
    if (signal === 'SIGKILL') counts.killed++;
    else if (code === null) counts.aborted++;
    else if (code === 0) counts.unharmed++;
    else counts.rejected++;

    report(violationsIn(site, [a, b]));
    // Leftovers that could not be removed are removed by the next build.
    if (code === 0) report(differenceFrom(site, b).filter((problem) => !/\/\.themecast-|\.lock$/.test(problem)));
    if (code !== null && code > 2) report([`ended with ${code}`]);
    if (code !== null && code !== 0) {
      if (!/^themecast: .*\n$/.test(stderr) && code === 2) report([`printed ${JSON.stringify(stderr)}`]);
      // A file of themecast itself may be unreadable after everything is published.
      const isProgram = stderr.includes(path.resolve(import.meta.dirname, '../..'));
      if (
        !isProgram &&
        !stderr.includes('the next build moves the rest') &&
        publishedIn(outputOf(site)) !== publishedIn(a)
      )
        report([`rejected, but the output changed: ${JSON.stringify(stderr)}`]);
    }
    await build(foldersOf(site)).catch((error) => report([`the next build: ${error}`]));
    report(differenceFrom(site, b));
    if (counts.faults % 100 === 0) process.stderr.write(`${counts.faults} faults, ${problems.length} problems\n`);
  }
}

/** Returns the published files as JSON, without staged files, which the next build removes. @param {ReturnType<typeof outputOf>} output */
function publishedIn({ dist }) {
  return JSON.stringify(dist, (name, hash) => (name.startsWith('.themecast-') ? undefined : hash));
}

/**
 * Returns the numbers of the calls to inject faults into, per thread, from a build without faults. Writes to the pipes of Node's event
 * loop are excluded. @param {string} calls
 */
async function relevantCalls(calls) {
  const site = path.join(folder, 'count');
  cpSync(base, site, { recursive: true, preserveTimestamps: true });
  const log = path.join(folder, 'calls');
  await faultyBuild(site, ['-y', '-o', log, '-e', `trace=${calls}`]);
  const threads = new Map();
  const numbers = new Set();
  for (const [line, thread] of readFileSync(log, 'utf8').matchAll(/^(\d+) +\w+\(.*$/gm)) {
    threads.set(thread, (threads.get(thread) ?? 0) + 1);
    if (!calls.startsWith('write') || line.includes(`<${site}`)) numbers.add(threads.get(thread));
  }
  rmSync(site, { recursive: true });
  return [...numbers].toSorted((a, b) => a - b);
}

/** Builds a site under strace. @param {string} cwd @param {string[]} flags */
async function faultyBuild(cwd, flags) {
  // A single disk thread makes the calls in the same order every time.
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1', UV_USE_IO_URING: '0', NO_COLOR: '1' };
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'faulty-build.js')], { cwd, env });
  const ended = once(child, 'exit');
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  child.stdin.on('error', () => {});
  await once(child.stdout, 'data');
  const strace = spawn('strace', [
    '-f',
    '-p',
    String(child.pid),
    ...(flags.includes('-o') ? [] : ['-o', '/dev/null']),
    ...flags,
  ]);
  const traced = once(strace, 'exit');
  await once(strace.stderr, 'data'); // attached
  child.stdin.write('go\n');
  const [code, signal] = await ended;
  await traced;
  return { code: /** @type {number | null} */ (code), signal: /** @type {string | null} */ (signal), stderr };
}
