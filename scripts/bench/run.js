// Runs all requested measurements, one after the other.
import { mkdirSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { measureEdits, missingChromium } from './dev.js';
import { isOnPath } from './measure.js';
import { measureMillion } from './million.js';
import { isSet } from './options.js';
import { peers } from './peers.js';
import { measureRequests } from './requests.js';
import { measureRounds } from './rounds.js';
import { COMMANDS, scenarios } from './scenarios.js';
import { missingNginx } from './servers.js';
import { SETS } from './themes.js';
import { usersContestants } from './users.js';

/** @typedef {import('./goals.js').Results} Results */
/** @typedef {import('./options.js').Options} Options */

/** @type {Results} */
const NO_RESULTS = {
  machine: machine(),
  failed: false,
  measurements: [],
  requests: [],
  edits: [],
  million: [],
  missing: [],
};

const ROUNDS = { 'photos-12': 5, 'photos-48': 3, 'small-100': 3, 'small-1000': 3, 'small-10000': 1 };
/** The peers that are measured on every set. Slower peers skip the sets of 100 and 10,000 themes. */
const PEERS_OF_EVERY_SET = new Set(['C program', 'bare sharp script']);

/**
 * @param {string} work - an empty folder
 * @param {Options} options
 * @returns {Promise<Results>}
 */
export async function measureAll(work, options) {
  const results = [];
  if (!isOnPath('strace')) results.push(resultsMissing('files opened: strace is not installed.'));
  const peers = options.names.some(isSet) ? peersFor(work, options) : [];
  for (const { name, missing } of peers)
    if (missing !== undefined) results.push(resultsMissing(`${name}: ${missing}.`));
  for (const name of options.names) {
    const folder = path.join(work, name);
    mkdirSync(folder);
    const measuring = isSet(name) ? measureSet(name, folder, peers, options) : measureSection(name, folder, options);
    // Keeps earlier results, which may have taken hours.
    results.push(
      await measuring.catch((error) => ({ ...resultsMissing(`${name}: ${messageOf(error)}`), failed: true })),
    );
  }
  return mergeResults(results);
}

/**
 * Merges the results of several runs, and keeps the first result of a repeated measurement.
 * @param {readonly Results[]} all
 * @returns {Results}
 */
export function mergeResults(all) {
  /**
   * @template T
   * @param {readonly T[]} items
   * @param {(item: T) => string} key
   */
  const unique = (items, key) =>
    [...new Map(items.toReversed().map((item) => [key(item), item])).values()].toReversed();
  return {
    machine: all[0]?.machine ?? '',
    failed: all.some(({ failed }) => failed),
    measurements: unique(
      all.flatMap(({ measurements }) => measurements),
      ({ set, name }) => `${set} ${name}`,
    ),
    requests: unique(
      all.flatMap(({ requests }) => requests),
      ({ server, request }) => `${server} ${request}`,
    ),
    edits: unique(
      all.flatMap(({ edits }) => edits),
      ({ themes }) => String(themes),
    ),
    million: unique(
      all.flatMap(({ million }) => million),
      ({ name }) => name,
    ),
    missing: [...new Set(all.flatMap(({ missing }) => missing))],
  };
}

/** Returns the properties of the machine that affect the figures, apart from its load. */
function machine() {
  const [cpu] = cpus();
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), Node.js ${process.versions.node}`;
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * @param {string} missing
 * @returns {Results}
 */
function resultsMissing(missing) {
  return { ...NO_RESULTS, missing: [missing] };
}

/**
 * @param {string} work
 * @param {Options} options
 */
function peersFor(work, options) {
  const folder = path.join(work, 'tools');
  mkdirSync(folder);
  return peers(folder, { modules: options.peers, quick: options.quick });
}

/**
 * @param {import('./themes.js').SetName} set
 * @param {string} work
 * @param {readonly import('./peers.js').Peer[]} peers
 * @param {Options} options
 * @returns {Promise<Results>}
 */
async function measureSet(set, work, peers, options) {
  const themes = path.join(work, 'themes');
  await SETS[set].write(themes, options.photos ?? '');
  const availablePeers = peers.filter(({ missing }) => missing === undefined);
  const selectedPeers = /-100(?:00)?$/.test(set)
    ? availablePeers.filter(({ name }) => PEERS_OF_EVERY_SET.has(name))
    : availablePeers;
  const contestants = [...scenarios(themes, work), ...selectedPeers.flatMap((peer) => peer.contestants(themes, work))];
  const rounds = options.rounds ?? (options.quick ? 3 : ROUNDS[set]);
  const measurements = await measureRounds(set, contestants, {
    rounds,
    opens: !options.quick && set !== 'small-10000',
  });
  return { ...NO_RESULTS, measurements };
}

/**
 * @param {string} name
 * @param {string} work
 * @param {Options} options
 * @returns {Promise<Results>}
 */
async function measureSection(name, work, { rounds, quick, oldService }) {
  if (name === 'commands') {
    // Each command takes only a tenth of a second, so it runs in more rounds.
    const measurements = await measureRounds(name, COMMANDS, { rounds: (rounds ?? 5) * 3, opens: !quick });
    return { ...NO_RESULTS, measurements };
  }
  if (name === 'dev') {
    const missing = missingChromium();
    if (missing !== undefined) return resultsMissing(`The development server: ${missing}.`);
    return { ...NO_RESULTS, edits: await measureEdits(work, { counts: [12, 1000], edits: 3 * (rounds ?? 5) }) };
  }
  if (name === 'million') return { ...NO_RESULTS, million: measureMillion() };
  if (name === 'requests') {
    const missing = isOnPath('wrk') ? missingNginx() : 'wrk is not installed';
    if (missing !== undefined) return resultsMissing(`Requests: ${missing}.`);
    const requests = await measureRequests(work, { rounds: rounds ?? 3, seconds: 5, oldService });
    return {
      ...NO_RESULTS,
      requests,
      missing: oldService === undefined ? ['A dynamic service: no --old-service.'] : [],
    };
  }
  const contestants = await usersContestants(work, [1, 10]);
  return {
    ...NO_RESULTS,
    measurements: await measureRounds('users', contestants, { rounds: rounds ?? 1, opens: false }),
  };
}
