import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort, startServer } from '../hosts/process.ts';

/** The folder of a dynamic theme service on Django REST Framework, which is not part of the repository. */
const FOLDER = path.join(import.meta.dirname, '../../../shared/old-service');
const THEMES = path.join(import.meta.dirname, '../../../shared/corpus/themes');
const PYTHON = '/usr/bin/python3';
const GUNICORN = '/usr/bin/gunicorn';

const VARIANTS = ['noauth', 'drfdefault', 'token', 'basic', 'sessionro'] as const;

/** Configurations of the service, with different authentication and middleware. */
export const OLD_SERVICE_SETTINGS = [
  ...VARIANTS.map((variant) => ({ OLD_SERVICE_VARIANT: variant })),
  { OLD_SERVICE_VARIANT: 'noauth', OLD_SERVICE_CONDITIONAL: '1' },
  { OLD_SERVICE_VARIANT: 'noauth', OLD_SERVICE_ROUTER: 'default', ORACLE_ROUTER: 'default' },
];

/** Returns the users with an account, with their themes and tokens. */
export async function oldUsers(): Promise<{ user: string; theme: string; token: string }[]> {
  const [, ...rows] = (await readFile(path.join(THEMES, 'users.csv'), 'utf8')).trimEnd().split('\n');
  return rows.slice(0, 50).map((row) => {
    const [user = '', theme = ''] = row.split(',');
    return { user, theme, token: createHash('sha1').update(user).digest('hex') };
  });
}

export interface OldService {
  url: string;
  /** Returns the request lines of all requests. */
  requests(): Promise<string[]>;
  /** Returns the bytes of the database. */
  database(): Promise<Buffer>;
  /** Runs a Django management command. @returns its output */
  manage(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Returns why the service cannot run on this machine, or undefined if it can. */
export function missingForOldService(): { reason: string; isOptional: boolean } | undefined {
  if (!existsSync(FOLDER) || !existsSync(THEMES))
    return { reason: 'The old service and its themes are not beside this repository.', isOptional: true };
  const hasPython = spawnSync(PYTHON, ['-c', 'import rest_framework, PIL, yaml']).status === 0;
  return hasPython && existsSync(GUNICORN)
    ? undefined
    : {
        reason: 'python3-djangorestframework, python3-pil, python3-yaml or gunicorn is not installed.',
        isOptional: false,
      };
}

/** Creates a folder with a database, images and thumbnails. The caller must remove it. @returns its path */
export async function fillOldService(): Promise<string> {
  const data = await mkdtemp(path.join(tmpdir(), 'themecast-old-service-'));
  const env = { ...process.env, OLD_SERVICE_DATA: data, PYTHONDONTWRITEBYTECODE: '1' };
  await promisify(execFile)(PYTHON, ['manage.py', 'seed', THEMES], { cwd: FOLDER, env, maxBuffer: 64 * 1024 * 1024 });
  const service = await startOldService(data, {});
  await (await fetch(`${service.url}/api/v2/theme/`)).arrayBuffer();
  await service.stop();
  return data;
}

/**
 * Starts the service on a copy of a prepared folder.
 * @param themes - how many themes to keep. Default: all
 */
export async function startOldService(
  filled: string,
  settings: Readonly<Record<string, string>>,
  themes?: number,
): Promise<OldService> {
  const data = await mkdtemp(path.join(tmpdir(), 'themecast-old-service-'));
  // The service only reads its images.
  await copyFile(path.join(filled, 'db.sqlite3'), path.join(data, 'db.sqlite3'));
  await symlink(path.join(filled, 'media'), path.join(data, 'media'));
  if (themes !== undefined) keepThemes(path.join(data, 'db.sqlite3'), themes);
  const port = await freePort();
  const log = path.join(data, 'access.log');
  const env = { ...settings, OLD_SERVICE_DATA: data, PYTHONDONTWRITEBYTECODE: '1' };
  const logging = ['--access-logfile', log, '--access-logformat', '%(r)s'];
  const args = ['-w', '1', '--threads', '4', '-b', `127.0.0.1:${port}`, ...logging, 'service.wsgi:application'];
  const server = await startServer({ command: GUNICORN, args, port, env, cwd: FOLDER });
  return {
    url: `http://127.0.0.1:${port}`,
    requests: async () => (await readFile(log, 'utf8')).trimEnd().split('\n'),
    database: () => readFile(path.join(data, 'db.sqlite3')),
    manage: async (...args) => {
      const options = { cwd: FOLDER, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
      return (await promisify(execFile)(PYTHON, ['manage.py', ...args], options)).stdout;
    },
    stop: async () => {
      await server.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Removes all themes of a database except the first. */
function keepThemes(file: string, themes: number): void {
  const script = `import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
for table, column in ('service_usertheme', 'theme_id'), ('service_theme', 'id'):
    database.execute(f'delete from {table} where {column} > ?', [sys.argv[2]])
database.commit()`;
  execFileSync(PYTHON, ['-c', script, file, String(themes)]);
}

/** An entry for `--accept`, for a difference that only these themes have. */
export const ROTATED_BANNER = `- what: theme 10 default_group_banner.thumbnail
  reason: The photograph has an orientation (EXIF), which the old service ignored. It was on its side.
`;
