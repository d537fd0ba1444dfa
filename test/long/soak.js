// A thousand rebuilds in one process, each with a change: memory and open files must not grow, and no temporary file may remain.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { build } from '../../lib/index.js';
import { watchGrowth } from './growth.js';

const BUILDS = 1000;
const folder = mkdtempSync(path.join(tmpdir(), 'themecast-soak-'));
const at = (/** @type {string} */ name) => path.join(folder, name);
cpSync('themes', at('themes'), { recursive: true });
const theme = at('themes/meadow/theme.yaml');
const written = readFileSync(theme, 'utf8');
const options = { themesDir: at('themes'), outDir: at('dist'), edgeOutDir: at('edge'), cacheDir: at('cache') };

const growth = watchGrowth();
let failed = 0;
try {
  for (let count = 1; count <= BUILDS; count++) {
    writeFileSync(theme, written.replace(/^name: .*$/m, `name: Meadow ${count}`));
    const { ok } = await build(options);
    const list = readFileSync(at('dist/api/v2/theme/index.json'), 'utf8');
    if (!ok || !list.includes(`"Meadow ${count}"`)) failed++;
    growth.measure(count);
  }
  const left = readdirSync(folder).filter((name) => !['themes', 'dist', 'edge', 'cache'].includes(name));
  const { isFine, text } = growth.result(0);
  process.stdout.write(
    `stress soak: ${BUILDS} rebuilds in one process, ${failed} wrong; ${text}, ${left.length} temporary files left\n`,
  );
  process.exitCode = isFine && failed === 0 && left.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
