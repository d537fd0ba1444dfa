// The cost of a command with all its processes. Linux, with the Debian package time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Interval between measurements of memory, in milliseconds. */
const INTERVAL = 20;

/**
 * Runs a command until it exits.
 * @param {string[]} command
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<{ wall: number, cpu: number, megabytes: number }>} seconds, and the peak of total resident memory
 */
export async function measure(command, options) {
  const folder = mkdtempSync(path.join(tmpdir(), 'themecast-measure-'));
  const file = path.join(folder, 'time');
  try {
    const args = ['-f', '%e %U %S', '-o', file, ...command];
    const child = spawn('/usr/bin/time', args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
    const exited = once(child, 'exit');
    let peak = 0;
    while (child.exitCode === null && child.signalCode === null) {
      peak = Math.max(peak, residentBytes(child.pid ?? 0));
      await Promise.race([delay(INTERVAL), exited]);
    }
    await exited;
    if (child.exitCode !== 0) throw new Error(`${command.slice(0, 3).join(' ')} ended with ${child.exitCode}.`);
    const [wall = 0, user = 0, system = 0] = readFileSync(file, 'utf8').trim().split(' ').map(Number);
    return { wall, cpu: user + system, megabytes: peak / 2 ** 20 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Resident memory of a process and all its descendants, in bytes.
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
    return 0; // it has exited
  }
}
