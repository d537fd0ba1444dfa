// `themecast build`, which waits for a line on stdin after loading all modules, so that injected faults affect the build
// only. Started by faults.js.
import process from 'node:process';
import { once } from 'node:events';
import { check } from '../../lib/index.js';

await import('../../lib/compiler/compile-and-publish.js');
// Loads the modules that print the report after the build.
await import('../../lib/core/diagnostics/format-report.js');
await check({ themesDir: 'themes', cacheDir: '.cache' });
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();
process.argv.splice(2, Infinity, 'build', '--quiet', ...process.argv.slice(2));
await import('../../lib/cli.js');
