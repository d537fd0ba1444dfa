// `npm run bench:dev -- [--themes DIR] [--edits N]`: the time from writing a theme.yaml until a page in Chromium shows it,
// with `themecast dev` on 12 and on 1,000 copies of the themes. Needs the Debian package chromium.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values } = parseArgs({
  options: { themes: { type: 'string', default: 'themes' }, edits: { type: 'string', default: '15' } },
});
const cli = path.resolve(import.meta.dirname, '../lib/cli.js');
const sources = readdirSync(values.themes, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => path.resolve(values.themes, entry.name));
const folder = mkdtempSync(path.join(tmpdir(), 'themecast-bench-dev-'));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });

/**
 * Copies the themes with unique slugs and ids; the first is the default theme.
 * @param {string} themes
 * @param {number} count
 */
function makeThemes(themes, count) {
  mkdirSync(themes);
  writeFileSync(path.join(themes, 'site.yaml'), 'base_url: https://community.example.org\n');
  for (let number = 1; number <= count; number++) {
    const target = path.join(themes, `theme-${number}`);
    cpSync(sources[number % sources.length] ?? '', target, { recursive: true });
    const file = path.join(target, 'theme.yaml');
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !/^(?:id|is_default):/.test(line));
    writeFileSync(file, [...lines, `id: ${number}`, `is_default: ${number === 1}`, ''].join('\n'));
  }
}

/**
 * @param {number} count
 * @returns {Promise<number[]>} milliseconds, sorted
 */
async function measureEdits(count) {
  const site = path.join(folder, String(count));
  mkdirSync(site);
  makeThemes(path.join(site, 'themes'), count);
  const server = spawn('node', [cli, 'dev', '--port', '0'], { cwd: site, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await new Promise((resolve) => {
      let text = '';
      server.stdout.on('data', (/** @type {Buffer} */ chunk) => {
        text += chunk.toString();
        const found = /Gallery +(\S+)\//.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    const page = await browser.newPage();
    await page.goto(`${url}/themes/theme-2/`);
    const file = path.join(site, 'themes/theme-2/theme.yaml');
    const text = readFileSync(file, 'utf8');
    const times = [];
    for (let edit = 1; edit <= Number(values.edits); edit++) {
      // Editors save at any time between two polls of the server.
      await delay(200 + Math.random() * 600);
      const started = performance.now();
      writeFileSync(file, text.replace(/^name: .*$/m, `name: Edit ${edit}`));
      await page.locator('h1', { hasText: `Edit ${edit}` }).waitFor();
      times.push(performance.now() - started);
    }
    await page.close();
    return times.toSorted((a, b) => a - b);
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => {
      server.once('exit', resolve);
    });
  }
}

try {
  const rows = [];
  for (const count of [12, 1000]) {
    const times = await measureEdits(count);
    const [median = 0, slowest = 0] = [times[Math.floor(times.length / 2)], times.at(-1)];
    rows.push(`| ${count.toLocaleString('en')} | ${median.toFixed(0)} | ${slowest.toFixed(0)} |`);
  }
  process.stdout.write(`\n| themes | median ms | slowest ms |\n| --- | --- | --- |\n${rows.join('\n')}\n`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
