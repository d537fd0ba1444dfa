// Measures the time from writing a theme.yaml until Chromium shows it. Needs the Debian package chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { themecast } from './scenarios.js';
import { writeSmallThemes } from './small-themes.js';
import { median } from './statistics.js';

const CHROMIUM = '/usr/bin/chromium';

/** Returns why the development server cannot be measured, or nothing if it can. */
export function missingChromium() {
  return existsSync(CHROMIUM) ? undefined : 'chromium is not installed';
}

/**
 * @typedef {{ themes: number, median: number, slowest: number }} EditTime - milliseconds
 * @param {string} work
 * @param {{ counts: readonly number[], edits: number }} options
 * @returns {Promise<EditTime[]>}
 */
export async function measureEdits(work, { counts, edits }) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const results = [];
    for (const themes of counts) {
      const site = path.join(work, `dev-${themes}`);
      await writeSmallThemes(path.join(site, 'themes'), themes);
      const times = await editTimes(browser, site, edits);
      results.push({ themes, median: median(times), slowest: Math.max(...times) });
      process.stderr.write(`dev  ${themes} themes  ${median(times).toFixed(0)} ms\n`);
    }
    return results;
  } finally {
    await browser.close();
  }
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} site
 * @param {number} edits
 */
async function editTimes(browser, site, edits) {
  const [name = '', ...args] = themecast('dev', '--port', '0');
  const server = spawn(name, args, { cwd: site, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  try {
    const page = await browser.newPage();
    await page.goto(`${await readServerUrl(server.stdout)}/themes/theme-00002/`);
    const file = path.join(site, 'themes/theme-00002/theme.yaml');
    const text = readFileSync(file, 'utf8');
    const times = [];
    for (let edit = 1; edit <= edits; edit++) {
      // Delays the save: editors save at any time between two polls of the server.
      await delay(200 + Math.random() * 600);
      const started = performance.now();
      writeFileSync(file, text.replace(/^name: .*$/m, `name: Edit ${edit}`));
      await page.locator('h1', { hasText: `Edit ${edit}` }).waitFor();
      times.push(performance.now() - started);
    }
    await page.close();
    return times;
  } finally {
    server.kill('SIGTERM');
    await exited;
  }
}

/**
 * Returns the URL that the server prints.
 * @param {import('node:stream').Readable} output
 * @returns {Promise<string>}
 */
function readServerUrl(output) {
  return new Promise((resolve) => {
    let text = '';
    output.on('data', (/** @type {Buffer} */ chunk) => {
      text += chunk.toString();
      const url = /Gallery +(\S+)\//.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}
