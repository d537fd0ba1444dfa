import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { run, type Run } from '../command-line.ts';
import { send } from '../hosts/contract/send.ts';
import { makeSite, removeSite, type SiteFolder, type SiteParts } from '../site-folder.ts';

const execute = promisify(execFile);

const ASSETS = '/api/v2/theme/assets.json';
const LIST = '/api/v2/theme/';
const CONFIG = '/api/v2/theme/config/';

/** The destination of a deployment. */
interface Target {
  host: string;
  port: number;
  env: Readonly<Record<string, string>>;
  basePath?: string;
  /** The path where an administrator installs `themecast-rules`. */
  sbin?: string;
}

/** A repository of themes, and its deployments. */
export class Repository {
  readonly site: SiteFolder;
  readonly #host: string;
  readonly #port: number;
  readonly #env: Readonly<Record<string, string>>;
  /** The path of `base_url`. */
  readonly #basePath: string;
  readonly #sbin: string | undefined;

  private constructor(site: SiteFolder, { host, port, env, basePath = '', sbin }: Target) {
    this.site = site;
    [this.#host, this.#port, this.#env, this.#basePath, this.#sbin] = [host, port, env, basePath, sbin];
  }

  static async make(parts: SiteParts, target: Target): Promise<Repository> {
    const files = { '.gitignore': '/dist/\n/edge/\n/.dist.*\n/.edge.*\n', ...parts.files };
    const repository = new Repository(await makeSite({ ...parts, files }), target);
    await repository.git('init', '--quiet', '--initial-branch=main');
    return repository;
  }

  /** Creates a repository with the themes harbor and meadow; the user tom has meadow. */
  static withMeadow(site: Readonly<Record<string, unknown>>, target: Target): Promise<Repository> {
    const parts = { themes: { harbor: {}, meadow: {} }, users: [['tom', 'meadow']] as const };
    return Repository.make({ site: { ...site, identity: [{ user: { cookie: 'uid' } }] }, ...parts }, target);
  }

  remove(): Promise<void> {
    return removeSite(this.site);
  }

  async git(...args: string[]): Promise<string> {
    const author = ['-c', 'user.name=Editor', '-c', 'user.email=editor@example.org', '-c', 'commit.gpgsign=false'];
    return (await execute('git', [...author, ...args], { cwd: this.site.root })).stdout.trim();
  }

  /** Writes files below the root, and commits everything. @returns the commit */
  async commit(files: Readonly<Record<string, string | Buffer>> = {}): Promise<string> {
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(this.site.root, name), content);
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--allow-empty', '--message', 'change');
    return this.git('rev-parse', 'HEAD');
  }

  async build(): Promise<void> {
    const { code, stderr } = await run(['build', '--quiet'], { cwd: this.site.root });
    expect(code, stderr).toBe(0);
    if (this.#sbin !== undefined)
      await copyFile(path.join(this.site.edgeOutDir, this.#host, 'themecast-rules'), this.#sbin);
  }

  run(...args: string[]): Promise<Run> {
    return run(args, { cwd: this.site.root, env: this.#env });
  }

  deploy(flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Run> {
    return run(['deploy', this.#host, ...flags], { cwd: this.site.root, env: { ...this.#env, ...env } });
  }

  async publish(...flags: string[]): Promise<string> {
    await this.build();
    const { code, stdout, stderr } = await this.deploy(flags);
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  }

  /** Repeats a killed deployment. The server may still have completed it under its lock. */
  async repeat(): Promise<void> {
    const { code, stderr } = await this.deploy();
    if (code !== 0) {
      expect(stderr).toContain('Another deployment came first');
      await this.publish();
    }
    expect(await this.record()).toMatchObject({ commit: await this.git('rev-parse', 'HEAD') });
  }

  /** Returns the live deployment record, or the status of an error response. */
  async record(): Promise<{ commit: string; time: string; retained: { path: string }[] } | number> {
    const { status, body } = await send(this.#port, { path: `${this.#basePath}${LIST}deployment.json` });
    return status === 200 ? JSON.parse(body) : status;
  }

  async themeOf(user: string): Promise<unknown> {
    const { body } = await send(this.#port, { path: this.#basePath + CONFIG, headers: { Cookie: `uid=${user}` } });
    return (JSON.parse(body) as { name: unknown }).name;
  }

  /** Returns the paths of the images in LIST, assets.json and the documents of some users. */
  async images(users: readonly string[] = []): Promise<Set<string>> {
    const texts = await Promise.all([
      ...[LIST, ASSETS].map((path) => send(this.#port, { path: this.#basePath + path })),
      ...users.map((user) => send(this.#port, { path: this.#basePath + CONFIG, headers: { Cookie: `uid=${user}` } })),
    ]);
    return new Set(
      texts.flatMap(({ body }) => body.match(/http:[^"]+\/media\/[^"]+/g) ?? []).map((url) => new URL(url).pathname),
    );
  }

  /** Returns the paths that do not respond with 200. */
  async missing(paths: Iterable<string>): Promise<string[]> {
    const statuses = await Promise.all(
      [...paths].map(async (name) => [name, (await send(this.#port, { path: name })).status] as const),
    );
    return statuses.flatMap(([name, status]) => (status === 200 ? [] : [name]));
  }
}
