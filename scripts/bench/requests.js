// Measures requests per second of nginx with the generated rules, and of a dynamic service, under the same load.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { measure } from './measure.js';
import { themecast } from './scenarios.js';
import { freePort, startNginx, startOldService } from './servers.js';
import { writeSmallThemes } from './small-themes.js';
import { median } from './statistics.js';

/**
 * @typedef {{ server: string, request: string, perSecond: number, p50: number, p99: number }} RequestRate - times in milliseconds
 * @typedef {{ name: string, port: number, userHeader: (user: string) => [name: string, value: string], stop: () => Promise<void> }}
 * Server
 */

const LIST = '/api/v2/theme/';
const CONFIG = '/api/v2/theme/config/';
/** The number of users who make requests: the first in users.csv. The dynamic service is loaded with these alone. */
const REQUESTERS = 50;
const USERS = 2000;
const CONNECTIONS = 16;

const users = Array.from({ length: USERS }, (_, index) => `u-${100_000 + index * 37}`);
const themeOf = (/** @type {number} */ index) => 2 + (index % 11);

/**
 * @param {string} work
 * @param {{ rounds: number, seconds: number, oldService: string | undefined }} options
 * @returns {Promise<RequestRate[]>}
 */
export async function measureRequests(work, { rounds, seconds, oldService }) {
  const folder = path.join(work, 'requests');
  const themes = path.join(folder, 'themes');
  const port = await freePort();
  mkdirSync(folder);
  await writeSmallThemes(themes, 12);
  const rows = users.map((user, index) => `${user},theme-${String(themeOf(index)).padStart(5, '0')}\n`);
  writeFileSync(path.join(themes, 'users.csv'), `user,theme\n${rows.join('')}`);
  writeFileSync(
    path.join(themes, 'site.yaml'),
    `base_url: http://127.0.0.1:${port}\nedge: [nginx]\nidentity:\n  - user: { cookie: uid }\n` +
      `origin:\n  listen: "127.0.0.1:${port}"\n  document_root: ${path.join(folder, 'dist')}\n`,
  );
  await measure({ command: themecast('build', '--quiet'), cwd: folder });
  /** @type {Server[]} */
  const servers = [];
  try {
    servers.push(await startNginx(folder, port));
    if (oldService !== undefined) servers.push(await startOldService(oldService, folder, await freePort()));
    for (const server of servers) await expectThemes(server);
    return loadAll(folder, servers, rounds, seconds);
  } finally {
    for (const server of servers) await server.stop();
  }
}

/**
 * Checks that a server returns the theme of each user, before its speed is measured.
 * @param {Server} server
 */
async function expectThemes({ name, port, userHeader }) {
  const cases = [
    { headers: {}, id: 1 },
    { headers: Object.fromEntries([userHeader(users[7] ?? '')]), id: themeOf(7) },
  ];
  for (const { headers, id } of cases) {
    const response = await fetch(`http://127.0.0.1:${port}${CONFIG}`, { headers });
    const body = /** @type {{ id?: number }} */ (await response.json());
    if (body.id !== id) throw new Error(`${name} returned theme ${body.id} instead of ${id}.`);
  }
}

/**
 * @param {string} folder
 * @param {readonly Server[]} servers
 * @param {number} rounds
 * @param {number} seconds
 */
function loadAll(folder, servers, rounds, seconds) {
  const cases = servers.flatMap((server) =>
    [
      { request: 'CONFIG, anonymous', path: CONFIG, users: false },
      { request: 'CONFIG, of a user', path: CONFIG, users: true },
      { request: 'LIST', path: LIST, users: false },
    ].map((request) => ({ ...request, server, loads: /** @type {ReturnType<typeof parseWrk>[]} */ ([]) })),
  );
  for (let round = 0; round < rounds; round++) {
    for (const { request, path: url, users: needsUsers, server, loads } of cases) {
      const script = path.join(folder, 'requests.lua');
      writeFileSync(
        script,
        luaScript(url, needsUsers ? users.slice(0, REQUESTERS).map((user) => server.userHeader(user)) : []),
      );
      const load = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', '-s', script];
      const run = spawnSync('wrk', [...load, `http://127.0.0.1:${server.port}`], { encoding: 'utf8' });
      loads.push(parseWrk(run.stdout));
      process.stderr.write(`requests  ${server.name}  ${request}  ${loads.at(-1)?.perSecond} per second\n`);
    }
  }
  return cases.map(({ server, request, loads }) => ({
    server: server.name,
    request,
    perSecond: median(loads.map(({ perSecond }) => perSecond)),
    p50: median(loads.map(({ p50 }) => p50)),
    p99: median(loads.map(({ p99 }) => p99)),
  }));
}

/**
 * Returns a script for wrk: the same path, by each requester in turn.
 * @param {string} url
 * @param {readonly [name: string, value: string][]} requesters
 */
function luaScript(url, requesters) {
  const headers = (requesters.length === 0 ? [['X-Anonymous', '1']] : requesters).map(
    ([name, value]) => `wrk.format("GET", "${url}", {["Accept"] = "application/json", ["${name}"] = "${value}"})`,
  );
  return `local all = {}\nlocal at = 0\ninit = function() all = {${headers.join(', ')}} end
request = function() at = at % #all + 1; return all[at] end\n`;
}

/**
 * @param {string} output - of wrk with --latency
 * @returns {{ perSecond: number, p50: number, p99: number }}
 */
export function parseWrk(output) {
  const failed = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(output);
  const perSecond = /Requests\/sec: +([\d.]+)/.exec(output)?.[1];
  if (failed !== null || perSecond === undefined) throw new Error(`wrk: ${failed?.[0] ?? output}`);
  return { perSecond: Number(perSecond), p50: percentile(output, 50), p99: percentile(output, 99) };
}

/**
 * @param {string} output
 * @param {number} percent
 * @returns {number} milliseconds
 */
function percentile(output, percent) {
  const [, value, unit = ''] = new RegExp(`^ +${percent}% +([\\d.]+)(us|ms|s)$`, 'm').exec(output) ?? [];
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
}
