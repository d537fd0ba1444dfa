// A thousand rebuilds of `themecast dev`, each because a file changed: memory and open files must not grow. Every tenth breaks a
// theme, every seventh draws a picture anew. An open page is told of each.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startDevServer } from '../../lib/dev/server.js';

const REBUILDS = 1000;
/** Rebuilds after which memory is looked at first: caches and compiled code have settled. */
const WARM = 100;
const MOST_GROWTH = 1.1;

// What is garbage is not memory that grew.
setFlagsFromString('--expose-gc');
const collectGarbage = /** @type {() => void} */ (runInNewContext('gc'));

const folder = mkdtempSync(path.join(tmpdir(), 'themecast-watch-'));
const at = (/** @type {string} */ name) => path.join(folder, name);
cpSync('themes', at('themes'), { recursive: true });
const theme = at('themes/meadow/theme.yaml');
const written = readFileSync(theme, 'utf8');
const logo = at('themes/meadow/logo.svg');
const drawn = readFileSync(logo, 'utf8');
const openFiles = () => readdirSync('/proc/self/fd').length;

let updated = () => {};
const stop = new AbortController();
const server = await startDevServer({
  themesDir: at('themes'),
  cacheDir: at('cache'),
  port: 0,
  links: undefined,
  stop: stop.signal,
  onUpdate: () => updated(),
});
await server.session.start();
const page = new AbortController();
const events = await fetch(`${server.url}/__themecast/events`, { signal: page.signal });

/** @type {{ rss: number, files: number } | undefined} */
let before;
let peak = 0;
let files = 0;
let failed = 0;
try {
  for (let count = 1; count <= REBUILDS; count++) {
    const isBroken = count % 10 === 0;
    /** @type {Promise<void>} */
    const seen = new Promise((resolve) => {
      updated = resolve;
    });
    if (count % 7 === 0 && !isBroken) writeFileSync(logo, drawn.replace('<svg ', `<svg id="n${count}" `));
    writeFileSync(theme, written.replace(/^name: .*$/m, isBroken ? `name: [${count}` : `name: Meadow ${count}`));
    await seen;
    const list = await (await fetch(`${server.url}/api/v2/theme/`)).text();
    const { problems } = server.session;
    const isRight = isBroken ? problems !== undefined : problems === undefined && list.includes(`"Meadow ${count}"`);
    if (!isRight) failed++;
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
  page.abort();
  stop.abort();
  await events.body?.cancel().catch(() => undefined);
  await server.close();
  const left = readdirSync(at('cache')).filter((name) => name.startsWith('dev-'));
  const growth = peak / (before?.rss ?? 1);
  process.stdout.write(
    `torture watch: ${REBUILDS} rebuilds in watch mode, ${failed} wrong; memory × ${growth.toFixed(2)} since rebuild ${WARM}, open files ${before?.files} then ${files}, ${left.length} temporary folders left\n`,
  );
  const isFine = failed === 0 && growth <= MOST_GROWTH && files <= (before?.files ?? 0) + 1 && left.length === 0;
  process.exitCode = isFine ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
