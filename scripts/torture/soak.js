// A thousand rebuilds in one process, each with another change: memory and open files must not grow, and nothing temporary may stay.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { build } from '../../lib/index.js';

const BUILDS = 1000;
/** Builds after which memory is looked at first: caches and compiled code have settled. */
const WARM = 100;
const MOST_GROWTH = 1.1;

// What is garbage is not memory that grew.
setFlagsFromString('--expose-gc');
const collectGarbage = /** @type {() => void} */ (runInNewContext('gc'));

const folder = mkdtempSync(path.join(tmpdir(), 'themecast-soak-'));
const at = (/** @type {string} */ name) => path.join(folder, name);
cpSync('themes', at('themes'), { recursive: true });
const theme = at('themes/meadow/theme.yaml');
const written = readFileSync(theme, 'utf8');
const options = { themesDir: at('themes'), outDir: at('dist'), edgeOutDir: at('edge'), cacheDir: at('cache') };
const openFiles = () => readdirSync('/proc/self/fd').length;

/** @type {{ rss: number, files: number } | undefined} */
let before;
let peak = 0;
let files = 0;
let failed = 0;
try {
  for (let count = 1; count <= BUILDS; count++) {
    writeFileSync(theme, written.replace(/^name: .*$/m, `name: Meadow ${count}`));
    const { ok } = await build(options);
    const list = readFileSync(at('dist/api/v2/theme/index.json'), 'utf8');
    if (!ok || !list.includes(`"Meadow ${count}"`)) failed++;
    if (count === WARM) {
      collectGarbage();
      before = { rss: process.memoryUsage().rss, files: openFiles() };
    }
    if (count > WARM && count % 50 === 0) {
      collectGarbage();
      peak = Math.max(peak, process.memoryUsage().rss);
      files = Math.max(files, openFiles());
    }
  }
  const left = readdirSync(folder).filter((name) => !['themes', 'dist', 'edge', 'cache'].includes(name));
  const growth = peak / (before?.rss ?? 1);
  process.stdout.write(
    `torture soak: ${BUILDS} rebuilds in one process, ${failed} wrong; memory × ${growth.toFixed(2)} since build ${WARM}, open files ${before?.files} then ${files}, ${left.length} temporary files left\n`,
  );
  const isFine = failed === 0 && growth <= MOST_GROWTH && files <= (before?.files ?? 0) && left.length === 0;
  process.exitCode = isFine ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
