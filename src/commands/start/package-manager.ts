/** The commands of package managers. npm is last, because a repository of another one may also contain a lockfile of npm. */
export const PACKAGE_MANAGERS = {
  pnpm: {
    lockfile: 'pnpm-lock.yaml',
    install: 'pnpm install',
    add: 'pnpm add --save-dev --save-exact',
    exec: 'pnpm exec',
    ci: 'corepack pnpm install --frozen-lockfile --ignore-scripts',
    ciExec: 'corepack pnpm exec',
  },
  yarn: {
    lockfile: 'yarn.lock',
    install: 'yarn install',
    add: 'yarn add --dev --exact',
    exec: 'yarn',
    ci: 'corepack yarn install --immutable --mode=skip-build',
    ciExec: 'corepack yarn',
  },
  npm: {
    lockfile: 'package-lock.json',
    install: 'npm install',
    add: 'npm install --save-dev --save-exact',
    exec: 'npx',
    ci: 'npm ci',
    ciExec: 'npx --no-install',
  },
} as const;
export type PackageManager = keyof typeof PACKAGE_MANAGERS;
