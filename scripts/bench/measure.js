// Measures the cost of a command with all its processes. Linux, with bash.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The interval between measurements of memory. */
const INTERVAL_MS = 20;
/** Prefers the `time` of bash, which prints milliseconds, to time(1), which prints hundredths. Both include all awaited descendants. */
const TIMED = 'TIMEFORMAT="%3R %3U %3S"; { time "${@:2}" 2>&3; } 3>&2 2>"$1"';

/**
 * The cost of a run: seconds, and the peak of the total resident memory of its processes.
 * @typedef {{ wall: number, cpu: number, mebibytes: number }} Cost
 */

/**
 * A command with its working directory and environment.
 * @typedef {{ command: readonly string[], cwd?: string | undefined, env?: Readonly<Record<string, string>> | undefined }} Program
 */

/**
 * Runs a program until it exits.
 * @param {Program} program
 * @returns {Promise<Cost>}
 */
export function measure(program) {
  return withFile(async (file) => {
    const child = start({ ...program, command: ['bash', '-c', TIMED, 'bash', file, ...program.command] });
    const exited = once(child, 'exit');
    let peak = 0;
    while (child.exitCode === null && child.signalCode === null) {
      peak = Math.max(peak, residentBytes(child.pid ?? 0));
      await Promise.race([delay(INTERVAL_MS), exited]);
    }
    await exited;
    expectSuccess(program, child.exitCode);
    const [wall = 0, user = 0, system = 0] = readFileSync(file, 'utf8').trim().split(' ').map(Number);
    return { wall, cpu: user + system, mebibytes: peak / 2 ** 20 };
  });
}

/**
 * Counts the files that a program opens, with all its processes.
 * @param {Program} program
 * @returns {Promise<number>}
 */
export function countOpens(program) {
  return withFile(async (file) => {
    const trace = ['strace', '--seccomp-bpf', '-f', '-qq', '-c', '-U', 'calls,errors,name', '-o', file];
    const child = start({ ...program, command: [...trace, '-e', 'trace=open,openat', ...program.command] });
    await once(child, 'exit');
    expectSuccess(program, child.exitCode);
    return parseOpens(readFileSync(file, 'utf8'));
  });
}

/**
 * Parses the successful calls in a summary of strace, with the columns calls, errors and name.
 * @param {string} summary
 */
export function parseOpens(summary) {
  return [...summary.matchAll(/^ *(\d+) +(\d+)? *open(?:at)?$/gm)].reduce(
    (sum, [, calls, errors]) => sum + Number(calls) - Number(errors ?? 0),
    0,
  );
}

/**
 * Returns whether a command is on the path.
 * @param {string} name
 */
export function isOnPath(name) {
  return spawnSync('bash', ['-c', 'command -v "$1"', 'bash', name]).status === 0;
}

/** @param {Program} program */
function start({ command: [name = '', ...args], cwd, env }) {
  return spawn(name, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * @param {Program} program
 * @param {number | null} code
 */
function expectSuccess({ command }, code) {
  if (code !== 0) throw new Error(`\`${command.join(' ').slice(0, 200)}\` ended with ${code ?? 'a signal'}.`);
}

/**
 * @template T
 * @param {(file: string) => Promise<T>} use
 */
async function withFile(use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'themecast-measure-'));
  try {
    return await use(path.join(folder, 'result'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the resident memory of a process and all its descendants, in bytes.
 * @param {number} pid
 * @returns {number}
 */
function residentBytes(pid) {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
    );
    return Number(pages) * 4096 + children.reduce((sum, child) => sum + residentBytes(Number(child)), 0);
  } catch {
    return 0; // The process has exited.
  }
}
