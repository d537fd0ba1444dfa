import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type DevProcess, startDev } from '../dev-server.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { formOf } from './post-server.ts';

const execute = promisify(execFile);

/** A repository with two themes and a bare remote, and a development server for it. */
export class Proposals {
  /** Contains the remote, the Git settings of the user and other files. */
  readonly folder: string;
  readonly site: SiteFolder;
  root: string;
  #dev: DevProcess | undefined;

  private constructor(folder: string, site: SiteFolder) {
    [this.folder, this.site, this.root] = [folder, site, site.root];
  }

  static async make(): Promise<Proposals> {
    const folder = await mkdtemp(path.join(tmpdir(), 'themecast-propose-'));
    const site = await makeSite({
      themes: { harbor: {}, meadow: {} },
      users: [['tom', 'meadow']],
      files: {
        '.gitignore': '.cache/\n',
        'notes.txt': 'a\n',
        'themes/harbor/old.txt': '',
        'themes/harbor/older.txt': '',
      },
    });
    const proposals = new Proposals(folder, site);
    await writeFile(proposals.globalConfig, '[user]\nname = Ann\nemail = ann@example.org\n');
    await proposals.git('init', '--quiet', '--bare', '--initial-branch=main', proposals.remote);
    await proposals.git('init', '--quiet', '--initial-branch=main');
    await proposals.git('add', '--all');
    await proposals.git('commit', '--quiet', '--message', 'Themes');
    await proposals.git('remote', 'add', 'origin', proposals.remote);
    await proposals.git('push', '--quiet', '--set-upstream', 'origin', 'main');
    return proposals;
  }

  get remote(): string {
    return path.join(this.folder, 'remote.git');
  }

  get globalConfig(): string {
    return path.join(this.folder, 'gitconfig');
  }

  get #env(): Record<string, string> {
    return { GIT_CONFIG_GLOBAL: this.globalConfig, GIT_CONFIG_NOSYSTEM: '1' };
  }

  async git(...args: string[]): Promise<string> {
    const { stdout } = await execute('git', args, { cwd: this.root, env: { ...process.env, ...this.#env } });
    return stdout.trim();
  }

  async remove(): Promise<void> {
    await this.stop();
    await removeSite(this.site);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Starts `themecast dev` in the checkout. */
  async start(flags: readonly string[] = []): Promise<void> {
    this.#dev = await startDev(this.root, ['--port', '0', ...flags], this.#env);
  }

  async stop(): Promise<void> {
    await this.#dev?.stop();
    this.#dev = undefined;
  }

  get url(): string {
    return this.#dev?.url ?? '';
  }

  async page(): Promise<string> {
    return (await fetch(`${this.url}/propose`)).text();
  }

  async post(subpath = '', fields: Readonly<Record<string, string>> = {}): Promise<[number, unknown]> {
    const headers = { 'X-Themecast-Token': this.#dev?.token ?? '' };
    const response = await fetch(`${this.url}/propose${subpath}`, { method: 'POST', body: formOf(fields), headers });
    return [response.status, await response.json()];
  }

  async propose(): Promise<[number, unknown]> {
    return this.#submit('', ['digest', 'message'], await this.#choices());
  }

  async goBack(): Promise<[number, unknown]> {
    return this.#submit('/back', ['back']);
  }

  /** Returns everything that can be chosen, as fields. */
  async #choices(): Promise<Record<string, string>> {
    const boxes = (await this.page()).matchAll(/<input type="checkbox" name="([^"]+)" value="on"(?![^>]*disabled)/g);
    return Object.fromEntries([...boxes].map(([, name = '']) => [name, 'on']));
  }

  /** Sends fields with their values on the page. */
  async #submit(
    subpath: string,
    fields: readonly string[],
    chosen: Readonly<Record<string, string>> = {},
  ): Promise<[number, unknown]> {
    const page = await this.page();
    const value = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
    return this.post(subpath, { ...Object.fromEntries(fields.map((name) => [name, value(name)])), ...chosen });
  }

  async edit(height: number, slug = 'meadow'): Promise<void> {
    const file = path.join(this.root, 'themes', slug, 'theme.yaml');
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace(/^logo_height: .*\n/m, '') + `logo_height: ${height}\n`,
    );
  }

  /** Adds an image, and makes it the logo of the theme meadow. @param name - relative to the root */
  async useLogo(name: string): Promise<void> {
    await writeFile(
      path.join(this.root, name),
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="90" height="30" fill="#777"/></svg>',
    );
    const file = path.join(this.root, 'themes/meadow/theme.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/^logo: .*$/m, `logo: "${path.basename(name)}"`));
  }

  async append(line: string): Promise<void> {
    await appendFile(path.join(this.root, 'themes/meadow/theme.yaml'), line);
  }

  /** Returns the change times of all theme files, which show whether any file was written. */
  async times(): Promise<string[]> {
    const names = await readdir(path.join(this.root, 'themes'), { recursive: true });
    return Promise.all(
      names.map(async (name) => `${name} ${(await stat(path.join(this.root, 'themes', name))).ctimeMs}`),
    );
  }
}
