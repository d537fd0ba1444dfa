import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { command as build } from '../src/commands/build/command.ts';
import { command as check } from '../src/commands/check/command.ts';
import { packedFiles } from './docs/package.ts';
import { codeBlocks } from './docs/pages.ts';

const root = path.resolve(import.meta.dirname, '..');
const text = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');

interface LockEntry {
  integrity?: string;
  resolved?: string;
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
  link?: boolean;
}

const readLockfile = async (file: string): Promise<[string, LockEntry][]> =>
  Object.entries((JSON.parse(await text(file)) as { packages: Record<string, LockEntry> }).packages).slice(1);
const runtime = (await readLockfile('package-lock.json')).filter(([, { dev }]) => dev !== true);

describe.each(['package-lock.json', 'test/long/package-lock.json'])('%s', async (file) => {
  const installed = await readLockfile(file);

  it('has the hash of every package, and no registry URLs', () => {
    expect(installed.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
    const elsewhere = installed.filter(([, { resolved, link }]) => link === true || resolved !== undefined);
    expect(elsewhere).toEqual([]);
  });
});

describe('package.json', () => {
  it('has no runtime package with an install script', () => {
    expect(runtime.length).toBeGreaterThan(20);
    expect(runtime.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
  });

  it('has exact versions, and no script that npm would ignore', async () => {
    const { dependencies, devDependencies, scripts } = JSON.parse(await text('package.json')) as Record<
      'dependencies' | 'devDependencies' | 'scripts',
      Record<string, string>
    >;
    const versions = Object.entries({ ...dependencies, ...devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    // With `ignore-scripts`, npm runs only the requested script, without its pre and post scripts.
    expect(await text('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    const names = Object.keys(scripts);
    expect(
      names.filter((name) => /^(?:pre|post)/.test(name) && names.includes(name.replace(/^(?:pre|post)/, ''))),
    ).toEqual([]);
    expect(names.filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([]);
  });

  it('packs only the files that are needed at run time', () => {
    const files = packedFiles();
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'lib/bundle/cli.js']),
    );
    expect(files).toEqual(
      expect.arrayContaining([
        'lib/bundle/index.js',
        'lib/THIRD-PARTY.md',
        'lib/index.d.ts',
        'lib/core/edge-runtime/handler.js',
      ]),
    );
    const extra = files.filter(
      (file) =>
        !/^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md|src\/README\.md|\.github\/CONTRIBUTING\.md|docs\/.+|themes\/(?:site|theme)\.schema\.json|src\/client\/(?:types\.ts|client\.ts|fixtures\/[\w-]+\.json)|lib\/(?:(?:bundle|client|commands\/dev\/browser|core\/edge-runtime)\/[\w-]+\.js|.*\.(?:css|md|mustache|sh)|(?:index|client\/(?:types|client))\.d\.ts|digest\.txt))$/.test(
          file,
        ),
    );
    expect(extra).toEqual([]);
  });

  it('lists what is inside the bundle, with version and licence, and nothing that audits would not find', async () => {
    const listed = [...(await text('lib/THIRD-PARTY.md')).matchAll(/^## (\S+) (\S+): \S+$/gm)];
    const installed = await Promise.all(
      runtime.map(async ([folder]) => JSON.parse(await text(`${folder}/package.json`).catch(() => '{}')) as object),
    );
    for (const [, name, version] of listed)
      expect(installed).toContainEqual(expect.objectContaining({ name, version }));
    const { dependencies } = JSON.parse(await text('package.json')) as { dependencies: object };
    const names = listed.map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies).filter((name) => name !== 'sharp')));
  });
});

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Workflow {
  on: string | string[] | Record<string, unknown>;
  permissions?: Record<string, string>;
  jobs: Record<
    string,
    {
      permissions?: Record<string, string>;
      environment?: string;
      if?: string;
      'timeout-minutes'?: number;
      steps: Step[];
    }
  >;
}

/** The permissions that signing a package and attaching it to a release need. */
const RELEASE_RIGHTS = new Set(['attestations', 'contents', 'id-token']);

/** Whether a workflow may use an action that restores or saves a cache: of pull requests, none is saved. */
function mayUse(action: string, fromForks: boolean): boolean {
  return action.startsWith('actions/cache/restore@') || (action.startsWith('actions/cache/save@') && !fromForks);
}

/** Returns the parts of a workflow that could run untrusted code or leak secrets. */
function unsafeParts(workflow: Workflow): string[] {
  const events =
    typeof workflow.on === 'string'
      ? [workflow.on]
      : Array.isArray(workflow.on)
        ? workflow.on
        : Object.keys(workflow.on);
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);
  const fromForks = events.includes('pull_request');
  // Reviewers have to approve a job in an environment.
  const isReleased = ({ environment }: { environment?: string }): boolean => environment !== undefined && !fromForks;
  const isSigning = (job: Workflow['jobs'][string]): boolean => job.permissions?.['id-token'] === 'write';
  // A job that only posts the comparison of another job, for branches of the same repository.
  const isCommenter = (job: Workflow['jobs'][string]): boolean =>
    job.steps.every(({ uses = 'actions/download-artifact@' }) => uses.startsWith('actions/download-artifact@')) &&
    /\bhead\.repo\.full_name == github\.repository && /.test(job.if ?? '');
  const writes = [workflow, ...jobs].flatMap((scope) =>
    Object.entries(scope.permissions ?? {}).filter(
      ([name, level]) =>
        level !== 'read' &&
        !(RELEASE_RIGHTS.has(name) && 'steps' in scope && isReleased(scope)) &&
        !(name === 'pull-requests' && 'steps' in scope && isCommenter(scope)),
    ),
  );
  return [
    ...events.filter((event) => ['pull_request_target', 'workflow_run', 'issue_comment'].includes(event)),
    // A job with the right to sign runs no package: it could sign another release.
    ...(jobs.some((job) => isSigning(job) && job.steps.some(({ run = '' }) => /npm (?:ci|install|run|pack)/.test(run)))
      ? ['packages beside id-token']
      : []),
    ...(workflow.permissions === undefined || writes.length > 0 ? ['permissions'] : []),
    ...(jobs.some((job) => job['timeout-minutes'] === undefined) ? ['no timeout'] : []),
    ...steps.flatMap(({ uses, run = '', with: settings = {} }) => [
      ...(uses !== undefined && !/^[\w-]+\/[\w./-]+@[0-9a-f]{40}$/.test(uses) ? [`not pinned: ${uses}`] : []),
      ...(uses?.startsWith('actions/checkout@') === true && settings['persist-credentials'] !== false
        ? ['persisted token']
        : []),
      // Who may save a cache decides what later jobs read: only jobs of the default branch do.
      ...(settings['cache'] !== undefined || (uses?.startsWith('actions/cache') === true && !mayUse(uses, fromForks))
        ? ['cache']
        : []),
      ...(/\$\{\{/.test(run) ? [`expression in a command: ${run}`] : []),
      // Only a workflow with a job that posts comments or publishes the release needs to upload files.
      ...(uses?.startsWith('actions/upload-artifact') === true &&
      !jobs.some((job) => isCommenter(job) || isSigning(job))
        ? ['artefact']
        : []),
    ]),
    ...(fromForks && /secrets\./.test(JSON.stringify(workflow)) ? ['secrets in a pull request'] : []),
    ...(/secrets\./.test(JSON.stringify(workflow)) && jobs.some((job) => job.environment === undefined)
      ? ['secrets outside an environment']
      : []),
  ];
}

const OURS = (await readdir(path.join(root, '.github/workflows'))).map((file) => `.github/workflows/${file}`);
const EXAMPLES = ['themes.yml', 'review.yml', 'deploy.yml'].map((file) => `docs/theme-repository/${file}`);

describe('workflows', () => {
  it.each([...OURS, ...EXAMPLES])('%s runs no untrusted code', async (file) => {
    expect(unsafeParts(parse(await text(file)) as Workflow)).toEqual([]);
  });

  it.each(['.github/workflows/ci.yml', 'docs/theme-repository/themes.yml'])(
    '%s builds the themes of a pull request with the generator of its base',
    async (file) => {
      const { jobs } = parse(await text(file)) as Workflow;
      const steps =
        Object.values(jobs).find((job) =>
          job.steps.some(({ with: settings }) => settings?.['sparse-checkout'] === '/themes/'),
        )?.steps ?? [];
      const [base, proposed] = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
      expect(base?.with?.['ref']).toBe('${{ github.event.pull_request.base.sha }}');
      expect(proposed?.with).toMatchObject({ 'sparse-checkout': '/themes/', 'sparse-checkout-cone-mode': false });
      // Only the generator of the base is installed or run in the folder of the pull request.
      const inProposed = steps.filter(
        (step) => (step as { 'working-directory'?: string })['working-directory'] === 'proposed',
      );
      expect(inProposed.map(({ run }) => run)).toEqual(
        [
          expect.stringMatching(
            / \.\.\/(?:generator\/lib\/bundle\/cli\.js|base\/node_modules\/\.bin\/themecast) build /,
          ),
        ].map((pattern) => pattern as string),
      );
    },
  );

  it('docs/theme-repository/themes.yml passes if the base has no themecast yet, and runs the checks otherwise', async () => {
    const { jobs } = parse(await text('docs/theme-repository/themes.yml')) as Workflow;
    const steps = Object.values(jobs).flatMap((job) => job.steps) as { id?: string; if?: string; run?: string }[];
    const script = steps.find(({ id }) => id === 'base')?.run ?? '';
    const conditional = steps.filter(({ run, id }) => run !== undefined && id === undefined);
    expect(conditional.map((step) => step.if)).toEqual(conditional.map(() => 'steps.base.outputs.has_themecast'));
    const folder = await mkdtemp(path.join(tmpdir(), 'themecast-base-'));
    const output = path.join(folder, 'output');
    const runScript = async (): Promise<[string, string]> => {
      await writeFile(output, '');
      const env = { ...process.env, GITHUB_OUTPUT: output };
      const printed = execFileSync('bash', ['-e', '-c', script], { cwd: folder, env, encoding: 'utf8' });
      return [printed, await readFile(output, 'utf8')];
    };
    try {
      expect(await runScript()).toEqual([expect.stringMatching(/^::notice::The base branch has no themecast yet/), '']);
      await mkdir(path.join(folder, 'base'));
      await writeFile(path.join(folder, 'base/package.json'), '{"devDependencies":{"vite":"7.0.0"}}');
      expect(await runScript()).toEqual([expect.stringMatching(/^::notice::/), '']);
      await writeFile(path.join(folder, 'base/package.json'), '{"devDependencies":{"themecast":"0.1.0"}}');
      expect(await runScript()).toEqual(['', 'has_themecast=true\n']);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('deploy only from the default branch, whatever its name', async () => {
    for (const name of ['deploy', 'shards']) {
      const workflow = parse(await text(`docs/theme-repository/${name}.yml`)) as object;
      const { on, concurrency, jobs } = workflow as { on: unknown; concurrency: object; jobs: Record<string, object> };
      expect(on).toBe('push');
      // A run for another branch, whose jobs are skipped, must not replace a waiting one.
      expect(concurrency).toEqual({ group: 'deploy-${{ github.ref }}' });
      expect(Object.values(jobs)[0]).toMatchObject({
        if: expect.stringMatching(
          /^(?:vars\.DEPLOY_SERVER && )?github\.ref == format\('refs\/heads\/\{0\}', github\.event\.repository\.default_branch\)$/,
        ),
      });
      for (const job of Object.values(jobs).slice(1)) expect(job).toHaveProperty('needs');
    }
  });

  it('for sharded checks run no untrusted code, and only existing commands with existing flags', async () => {
    const [block = ''] = codeBlocks(await text('docs/at-scale.md'), 'yaml');
    const gitlab = parse(block) as Record<string, { script: string[] }>;
    const github = parse(await text('docs/theme-repository/shards.yml')) as Workflow;
    const faults = unsafeParts(github).filter((fault) => fault !== 'artefact');
    expect(faults).toEqual([]);
    const commands = [
      ...Object.values(github.jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run)),
      ...Object.values(gitlab).flatMap(({ script }) => script),
    ];
    const calls = commands.flatMap((command) => [...command.matchAll(/^npx --no-install themecast (\w+) (.*)$/gm)]);
    expect(calls.map(([, name]) => name)).toEqual(['check', 'build', 'check', 'build']);
    for (const [, name = '', flags = ''] of calls) {
      const { flags: definitions } = name === 'build' ? build : check;
      const used = [...flags.matchAll(/--([\w-]+)/g)].map(([, flag = '']) => flag);
      expect(used.filter((flag) => !(flag in definitions))).toEqual([]);
    }
  });

  // Their uploads are tested in test/deploy.test.ts.
  it('build outside the checkout', async () => {
    const { jobs } = parse(await text('docs/theme-repository/deploy.yml')) as Workflow;
    const commands = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run));
    expect(commands.filter((command) => /themecast build /.test(command))).toEqual([
      expect.stringMatching(
        / --cache "\$RUNNER_TEMP\/themecast" --out "\$RUNNER_TEMP\/[^"]+" --edge-out "\$RUNNER_TEMP\/[^"]+"$/,
      ),
    ]);
  });

  it('have code owners for everything that runs', async () => {
    const lines = (await text('docs/theme-repository/CODEOWNERS')).split('\n').filter((line) => /^[^#]/.test(line));
    expect(lines.map((line) => line.split(/ +/)[0])).toEqual(['*', '/themes/', '/themes/site.yaml', '/themes/users*']);
    expect(lines.every((line) => / @\S+$/.test(line))).toBe(true);
  });

  it('have the npm settings of this repository', async () => {
    expect(await text('docs/theme-repository/npmrc')).toBe(await text('.npmrc'));
  });
});
