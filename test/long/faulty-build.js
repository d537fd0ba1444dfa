// `themecast build`, which waits for a line on stdin after loading all modules, so that injected faults affect the build
// only. Started by faults.js.
import process from 'node:process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';

const bundle = new URL('../../lib/bundle/', import.meta.url);
const { check } = /** @type {typeof import('../../lib/index.js')} */ (await import(new URL('index.js', bundle).href));
const chunks = readdirSync(bundle).filter(
  (name) => !['cli.js', 'child.js'].includes(name) && !name.startsWith('start-'),
);
for (const name of chunks) await import(new URL(name, bundle).href);
await check({ themesDir: 'themes', cacheDir: '.cache' });
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();
process.argv.splice(2, Infinity, 'build', '--quiet', ...process.argv.slice(2));
await import(new URL('cli.js', bundle).href);
