import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { invocation } from '../../../src/system/command-line/invocation.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const PACKAGE = path.resolve(import.meta.dirname, '../../../package.json');

it.each<[script: string, env: Readonly<Record<string, string>>, flags: string[], call: string]>([
  ['/site/node_modules/themecast/lib/cli.js', {}, [], 'npx themecast build'],
  ['/site/node_modules/.bin/themecast', { npm_config_user_agent: 'pnpm/10.34.9' }, [], 'pnpm exec themecast build'],
  ['/site/node_modules/.bin/themecast', { npm_config_user_agent: 'yarn/4.1.0' }, [], 'yarn themecast build'],
  ['/usr/local/bin/themecast', { PATH: '/bin:/usr/local/bin' }, [], 'themecast build'],
  ['/usr/local/bin/themecast', { PATH: '/bin' }, [], 'node /usr/local/bin/themecast build'],
  ["/some one's/lib/cli.js", {}, ['--out', 'a'], String.raw`node '/some one'\''s/lib/cli.js' build --out a`],
  [PACKAGE, { npm_command: 'run', npm_package_json: PACKAGE }, ['--out', 'a'], 'npm run build -- --out a'],
])('the call that %s suggests in %j works there', (script, env, flags, call) => {
  for (const [name, value] of Object.entries({ npm_command: '', npm_config_user_agent: '', ...env }))
    vi.stubEnv(name, value);
  vi.spyOn(path, 'relative').mockImplementation((_, to) => to);
  vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', script]);
  expect(invocation('build', flags)).toBe(call);
});
