import path from 'node:path';
import { UsageError } from '../../../system/command-line/command.ts';
import { repeatedFlags } from '../../../system/command-line/site-root.ts';
import { firstOf, quoteList } from '../../../core/diagnostics/quote.ts';
import { BUILD_FILE, parseBuildFile } from '../../../core/document/files/build-file.ts';
import { parseManifest } from '../../../core/document/files/deployment.ts';
import { DEPLOYED_HOSTS } from '../../../hosts/adapter/deploy-scripts.ts';
import { ContainedFolder } from '../../../system/disk/contained-folder.ts';
import { sha256Of } from '../../../system/disk/files.ts';
import { checkoutOf, plantedLink } from '../../../system/disk/checkout.ts';
import { repositoryOf, revParse, statusOf, trackedFiles } from '../../../system/git/git.ts';
import { invocation } from '../../../system/command-line/invocation.ts';
import { MAX_LIST_BYTES } from '../../../core/document/files/manifest-file.ts';
import { readRules } from '../../../compiler/serve/read-build.ts';
import type { EdgeHost } from '../../../core/theme/site/site.ts';
import type { BuildToDeploy } from '../plan.ts';
import { scriptFor } from './script.ts';

interface Folders {
  themes: string;
  out: string;
  'edge-out': string;
}

/** Opens the build to deploy. @throws {UsageError} if there is no build of a known commit, or no host */
export async function openBuild(named: string, folders: Folders): Promise<BuildToDeploy> {
  const { themes: themesDir, out: outDir, 'edge-out': edgeOutDir } = folders;
  const rules = await readRules(edgeOutDir);
  const { mediaUrl, baseUrl } = rules;
  const bytes = await new ContainedFolder(outDir).read('manifest.json', MAX_LIST_BYTES);
  const manifest = bytes && parseManifest(bytes.toString('utf8'), JSON.parse);
  if (bytes === undefined || manifest === undefined)
    throw new UsageError(`There is no build in ${outDir}. Run \`${invocation('build')}\` first.`);
  const host = await hostOf(named, edgeOutDir);
  const { commit, ancestors } = await commitOf(edgeOutDir, outDir, sha256Of(bytes));
  await refuseTracked([outDir, path.join(edgeOutDir, host)]);
  const { script, variables, needed } = scriptFor(host, rules, edgeOutDir);
  await checkFiles(outDir, manifest.files);
  const flags = repeatedFlags({ themes: themesDir, out: outDir, 'edge-out': edgeOutDir });
  const deploys = (...more: string[]): string => invocation('deploy', [host, ...flags, ...more]);
  const build = {
    host,
    script,
    variables,
    themesDir,
    outDir,
    edgeOutDir,
    commit,
    ancestors,
    baseUrl,
    mediaUrl,
    files: manifest.files,
  };
  return {
    ...build,
    remark: await remarkOn(commit, themesDir),
    manifest: sha256Of(bytes),
    unset: needed.filter((name) => !process.env[name]),
    cacheControl: manifest.cache_control,
    repeat: `\`${deploys()}\``,
    again: (other, ...more) => `git checkout ${other} && ${invocation('build', flags)} && ${deploys(...more)}`,
  };
}

/** Checks the files of the manifest, because an archive may be incomplete. @throws {UsageError} if any is missing or damaged */
async function checkFiles(outDir: string, files: BuildToDeploy['files']): Promise<void> {
  const out = new ContainedFolder(outDir);
  const damaged: string[] = [];
  for (const { path: name, sha256 } of files) {
    const bytes = await out.read(name, MAX_LIST_BYTES);
    if (bytes === undefined || sha256Of(bytes) !== sha256) damaged.push(name);
  }
  if (damaged.length > 0)
    throw new UsageError(
      `Files in ${outDir} are missing or damaged: ${firstOf(damaged, MAX_NAMED)}. Run \`${invocation('build')}\` again, or fetch the build again.`,
    );
}

/** Returns the commit of a build, and those before it. @throws {UsageError} if it has no commit, or its folders are of different builds */
async function commitOf(
  edgeOutDir: string,
  outDir: string,
  manifest: string,
): Promise<Pick<BuildToDeploy, 'commit' | 'ancestors'>> {
  const text = (await new ContainedFolder(edgeOutDir).read(BUILD_FILE, MAX_LIST_BYTES))?.toString();
  const build = parseBuildFile(text);
  if (build.manifest !== manifest)
    throw new UsageError(
      `${outDir} is not of the build in ${edgeOutDir}${build.commit === undefined ? '' : `, which is of ${build.commit.slice(0, 7)}`}. Run \`${invocation('build')}\` again, or keep the two folders of a build together.`,
    );
  if (build.commit !== undefined) return { commit: build.commit, ancestors: build.ancestors };
  throw new UsageError(
    `This build has no commit to compare with the live one. Commit the themes (\`git init && git add --all && git commit -m Themes\`) and build again; without Git, build with \`--commit\`.`,
  );
}

/** Returns a warning if the checkout is at another commit than the build, or has uncommitted changes. */
async function remarkOn(commit: string, themesDir: string): Promise<string> {
  const head = await revParse(themesDir, 'HEAD^{commit}');
  if (head === undefined) return '';
  if (head !== commit) return `! ${head.slice(0, 7)} is checked out, and this build is of ${commit.slice(0, 7)}.\n`;
  const names = await uncommitted(themesDir);
  if (names.length === 0) return '';
  return `! ${themesDir} is not exactly ${commit.slice(0, 7)}, and this build may not be: ${firstOf(names, MAX_NAMED)}.\n`;
}

/**
 * Lists what differs from the checked-out commit in the themes, ignored files too: a build reads them.
 * @throws {GitError}
 */
async function uncommitted(themesDir: string): Promise<string[]> {
  const repository = await repositoryOf(themesDir);
  const rows = repository === undefined ? [] : await statusOf(repository, '--untracked-files=normal', '--ignored');
  return rows.map(({ name }) => name).filter((name) => !/(?:^|\/)\./.test(name));
}

const MAX_NAMED = 5;

async function hostOf(named: string, edgeOutDir: string): Promise<EdgeHost> {
  const folders = new Set((await new ContainedFolder(edgeOutDir).list()).map(({ name }) => name));
  const hosts = DEPLOYED_HOSTS.filter((host) => folders.has(host));
  const host = named === '' && hosts.length === 1 ? hosts[0] : hosts.find((name) => name === named);
  if (host !== undefined) return host;
  throw new UsageError(
    hosts.length === 0
      ? `This build is for no host that \`deploy\` supports: \`edge\` in site.yaml lists none of ${quoteList(DEPLOYED_HOSTS)}.`
      : DEPLOYED_HOSTS.some((name) => name === named)
        ? `This build is for ${quoteList(hosts, 'and')}. To deploy to \`${named}\`, add it to \`edge\` in site.yaml, and build again.`
        : `HOST must be ${quoteList(hosts)}${named === '' ? '' : `, not \`${named}\``}.`,
  );
}

/** Refuses files that Git tracks: an untrusted branch could contain its own script and documents. */
async function refuseTracked(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const link = plantedLink(folder);
    // The folder may lie in a submodule.
    const [tracked] = await trackedFiles(checkoutOf(folder), [folder]);
    if (link === undefined && tracked === undefined) continue;
    const file = path.relative('', link ?? tracked ?? folder);
    throw new UsageError(
      link === undefined
        ? `Git tracks ${file}, so it may not be from a build. Remove it with \`git rm -r --cached ${file}\`, and build again.`
        : `${file} is a link, and links in a checkout are not followed. Remove it, and build again.`,
    );
  }
}
