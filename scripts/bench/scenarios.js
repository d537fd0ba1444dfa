// The scenarios of a site: builds without a cache, and repeated builds after no or few changes.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { moveAside } from './aside.js';
import { measure } from './measure.js';

/** @typedef {import('./rounds.js').Contestant} Contestant */

const PROJECT = path.resolve(import.meta.dirname, '../..');
/** @type {{ bin: { themecast: string } }} */
const manifest = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8'));
const CLI = path.join(PROJECT, manifest.bin.themecast);

/** Milliseconds until file times are trusted: some file systems count in steps of two seconds. */
const TRUSTED_AFTER_MS = 3000;

/**
 * @param {string[]} args
 * @returns {string[]}
 */
export function themecast(...args) {
  return [process.execPath, CLI, ...args];
}

/** The commands that need no site. */
export const COMMANDS = [
  { name: 'themecast --help', program: { command: themecast('--help') } },
  { name: 'node -e 0', program: { command: [process.execPath, '-e', '0'] } },
];

/**
 * Returns the contestants of themecast on a themes folder, which they change; `work` is a folder for all other files.
 * @param {string} themes
 * @param {string} work
 * @returns {Contestant[]}
 */
export function scenarios(themes, work) {
  const workPath = (/** @type {string} */ name) => path.join(work, name);
  const site = { command: build(themes, workPath('site')) };
  const settle = buildUntilSettled(() => measure(site));
  const cache = workPath('site/cache');
  const checkProgram = {
    command: [...stateOf(workPath('site')), ...themecast('check', '--quiet', '--themes', themes, '--cache', cache)],
  };
  return [
    { name: 'themecast, nothing changed', program: site, before: settle },
    {
      name: 'themecast check, nothing changed',
      program: checkProgram,
      before: async () => void (await measure(checkProgram)),
    },
    { name: 'themecast, one YAML changed', program: site, before: yamlEditor(themes) },
    { name: 'themecast, one image changed', program: site, before: imageEditor(themes) },
    { name: 'themecast, fresh checkout', program: site, before: () => checkOut(themes) },
    {
      name: 'themecast, fresh checkout without output',
      program: site,
      before: () => {
        checkOut(themes);
        for (const output of ['dist', 'edge']) moveAside(workPath(`site/${output}`));
      },
    },
    {
      name: 'themecast, nothing cached',
      program: { command: build(themes, workPath('cold')) },
      before: () => {
        for (const folder of [workPath('cold'), stateFolder(workPath('cold'))]) moveAside(folder);
      },
    },
    {
      name: 'find -printf (all sources and output)',
      program: { command: ['find', themes, workPath('site/dist'), '-printf', '%p %s %T@ %C@ %i\n'] },
    },
  ];
}

/**
 * @param {string} themes
 * @param {string} site
 */
function build(themes, site) {
  const outputs = ['--out', `${site}/dist`, '--edge-out', `${site}/edge`, '--cache', `${site}/cache`];
  return [...stateOf(site), ...themecast('build', '--quiet', '--themes', themes, ...outputs)];
}

/** @param {string} site */
function stateFolder(site) {
  return path.join(tmpdir(), `themecast-bench-${process.pid}`, path.basename(path.dirname(site)), path.basename(site));
}

/** Sets the state folder of a command: each output has its own, as each checkout does. @param {string} site */
function stateOf(site) {
  return ['env', `XDG_STATE_HOME=${stateFolder(site)}`];
}

/**
 * Builds until a build has nothing left to do, and waits until file times are trusted.
 * @param {() => Promise<unknown>} run
 */
function buildUntilSettled(run) {
  let isUpToDate = false;
  return async () => {
    if (!isUpToDate) await run();
    isUpToDate = true;
    await delay(TRUSTED_AFTER_MS);
    await run();
    await delay(TRUSTED_AFTER_MS);
  };
}

/** Replaces every file with an identical copy, as a clone does. @param {string} themes */
function checkOut(themes) {
  const copy = `${themes}.new`;
  execFileSync('cp', ['-r', themes, copy]);
  moveAside(themes);
  renameSync(copy, themes);
}

/** @param {string} themes */
function yamlEditor(themes) {
  const file = path.join(themes, lastSlug(themes), 'theme.yaml');
  const text = readFileSync(file, 'utf8');
  let edit = 0;
  return () => writeFileSync(file, text.replace(/^name: .*$/m, `name: Edit ${++edit}`));
}

/** @param {string} themes */
function imageEditor(themes) {
  const folder = path.join(themes, lastSlug(themes));
  const file = path.join(folder, readdirSync(folder).find((name) => /banner.*\.jpg$/.test(name)) ?? 'no banner');
  const bytes = readFileSync(file);
  let edit = 0;
  return async () => {
    const { height } = await sharp(bytes).metadata();
    const cropped = sharp(bytes).resize({ height: height - ++edit, fit: 'cover' });
    writeFileSync(file, await cropped.jpeg({ quality: 90 }).toBuffer());
  };
}

/** @param {string} themes */
function lastSlug(themes) {
  const folders = readdirSync(themes, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return (
    folders
      .map(({ name }) => name)
      .toSorted()
      .at(-1) ?? ''
  );
}
