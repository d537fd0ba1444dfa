// A thousand rebuilds of `themecast dev`, each after a change: memory and open files must not grow. Every tenth breaks a
// theme, every seventh changes an image. An open page receives an event for each.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { startDevServer } from '../../lib/dev/server.js';
import { watchGrowth } from './growth.js';

const REBUILDS = 1000;
const folder = mkdtempSync(path.join(tmpdir(), 'themecast-watch-'));
const at = (/** @type {string} */ name) => path.join(folder, name);
cpSync('themes', at('themes'), { recursive: true });
const theme = at('themes/meadow/theme.yaml');
const written = readFileSync(theme, 'utf8');
const logo = at('themes/meadow/logo.svg');
const drawn = readFileSync(logo, 'utf8');

let updated = () => {};
const stop = new AbortController();
const server = await startDevServer({
  cwd: process.cwd(),
  themesDir: at('themes'),
  cacheDir: at('cache'),
  port: 0,
  stop: stop.signal,
  onUpdate: () => updated(),
});
await server.session.start();
const page = new AbortController();
const events = await fetch(`${server.url}/__themecast/events`, { signal: page.signal });

const growth = watchGrowth();
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
    growth.measure(count);
  }
  page.abort();
  stop.abort();
  await events.body?.cancel().catch(() => undefined);
  await server.close();
  const left = readdirSync(at('cache')).filter((name) => name.startsWith('dev-'));
  // The client may keep a connection to the server alive.
  const { isFine, text } = growth.result(1);
  process.stdout.write(
    `stress watch: ${REBUILDS} rebuilds in watch mode, ${failed} wrong; ${text}, ${left.length} temporary folders left\n`,
  );
  process.exitCode = isFine && failed === 0 && left.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
