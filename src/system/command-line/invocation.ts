import path from 'node:path';
import process from 'node:process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MANIFEST = fileURLToPath(new URL('../../../package.json', import.meta.url));

/**
 * Returns a call of themecast that works where the process was started, in the same way: `npm run build` in this repository,
 * `npx themecast build` (or with pnpm or Yarn) in a project with themecast installed, `themecast build` if it is in the path, else
 * `node …/lib/cli.js build`.
 * @param flags - with values quoted by {@link shellWord}
 */
export function invocation(command: string, flags: readonly string[] = []): string {
  const [, script = ''] = process.argv;
  if (isNpmRun() && isScript(command))
    return ['npm run', command, ...(flags.length === 0 ? [] : ['--', ...flags])].join(' ');
  return [program(script), command, ...flags].join(' ');
}

function program(script: string): string {
  const folder = path.dirname(script);
  if (/[\\/]node_modules[\\/]/.test(script)) {
    const [manager = ''] = (process.env['npm_config_user_agent'] ?? '').split('/');
    return { pnpm: 'pnpm exec themecast', yarn: 'yarn themecast' }[manager] ?? 'npx themecast';
  }
  const isInPath = (process.env['PATH'] ?? '').split(path.delimiter).includes(folder);
  if (isInPath && path.parse(script).name === 'themecast') return 'themecast';
  return `node ${shellWord(path.relative('', script))}`;
}

/** Returns whether npm runs a script of this package itself. */
function isNpmRun(): boolean {
  const { npm_command: command = '', npm_package_json: manifest = '' } = process.env;
  // `run-script` until npm 10.
  return ['run', 'run-script'].includes(command) && path.resolve(manifest) === MANIFEST;
}

function isScript(command: string): boolean {
  const { scripts } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { scripts: Record<string, string> };
  return Object.hasOwn(scripts, command);
}

/** Quotes a word for a shell. */
export function shellWord(word: string): string {
  return /^[\w./@:+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
