import path from 'node:path';
import { UsageError } from '../../command-line/command.ts';
import { repeatedFlags } from '../../command-line/site-root.ts';
import { firstOf, quoteList } from '../../diagnostics/quote.ts';
import { BUILD_FILE, parseBuildFile } from '../../document/build-file.ts';
import { parseManifest } from '../../document/deployment.ts';
import { DEPLOYED_HOSTS } from '../../hosts/deploy-scripts.ts';
import { ContainedFolder } from '../../disk/contained-folder.ts';
import { sha256Of } from '../../disk/files.ts';
import { checkoutOf, plantedLink, trackedFiles } from '../../git/tracked.ts';
import { revParse } from '../../git/git.ts';
import { invocation } from '../../command-line/invocation.ts';
import { MAX_LIST_BYTES, readRules } from '../../compiler/built.ts';
import type { EdgeHost } from '../../theme/site.ts';
import type { Built } from '../plan.ts';
import { uncommitted } from './history.ts';
import { checkScripts } from './own-scripts.ts';

interface Folders {
  themes: string;
  out: string;
  'edge-out': string;
}

/** @throws {UsageError} if there is no build of a known commit, or no host */
export async function openBuild(named: string, folders: Folders): Promise<Built> {
  const { themes: themesDir, out: outDir, 'edge-out': edgeOutDir } = folders;
  const rules = await readRules(edgeOutDir);
  const { mediaUrl, baseUrl } = rules;
  const bytes = await new ContainedFolder(outDir).read('manifest.json', MAX_LIST_BYTES);
  const manifest = bytes && parseManifest(bytes.toString('utf8'), JSON.parse);
  if (bytes === undefined || manifest === undefined)
    throw new UsageError(`There is no build in ${outDir}. Run \`${invocation('build')}\` first.`);
  const host = await hostOf(named, edgeOutDir);
  const commit = await commitOf(edgeOutDir, outDir, sha256Of(bytes));
  const script = path.join(edgeOutDir, host, 'deploy.sh');
  await refuseTracked([outDir, path.join(edgeOutDir, host)]);
  const variables = await checkScripts(host, edgeOutDir, rules);
  await checkFiles(outDir, manifest.files);
  const flags = repeatedFlags({ themes: themesDir, out: outDir, 'edge-out': edgeOutDir });
  const deploys = (...more: string[]): string => invocation('deploy', [host, ...flags, ...more]);
  const build = { host, script, themesDir, outDir, edgeOutDir, commit, baseUrl, mediaUrl, files: manifest.files };
  return {
    ...build,
    remark: await remarkOn(commit, themesDir),
    manifest: sha256Of(bytes),
    unset: variables.filter((name) => !process.env[name]),
    cacheControl: manifest.cache_control,
    repeat: `\`${deploys()}\``,
    difference: (live) => invocation('diff', [live, ...repeatedFlags({ themes: themesDir })]),
    again: (other, ...more) => `git checkout ${other} && ${invocation('build', flags)} && ${deploys(...more)}`,
  };
}

/** @throws {UsageError} if files are missing, or are not those that the manifest lists: an archive may be incomplete */
async function checkFiles(outDir: string, files: Built['files']): Promise<void> {
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

/** Returns the commit of a build. @throws {UsageError} if it names none, or its two folders are of different builds */
async function commitOf(edgeOutDir: string, outDir: string, manifest: string): Promise<string> {
  const text = (await new ContainedFolder(edgeOutDir).read(BUILD_FILE, MAX_LIST_BYTES))?.toString();
  const build = parseBuildFile(text);
  if (build.manifest !== manifest)
    throw new UsageError(
      `${outDir} is not of the build in ${edgeOutDir}${build.commit === undefined ? '' : `, which is of ${build.commit.slice(0, 7)}`}. Run \`${invocation('build')}\` again, or keep the two folders of a build together.`,
    );
  if (build.commit !== undefined) return build.commit;
  throw new UsageError(
    `This build names no commit, by which \`deploy\` compares it with what is live. Commit the themes (\`git init && git add --all && git commit -m Themes\`) and build again; without Git, build with \`--commit\`.`,
  );
}

/** Returns a line about the checkout, if it is at another commit than the build, or has changes that are not committed. */
async function remarkOn(commit: string, themesDir: string): Promise<string> {
  const head = await revParse(themesDir, 'HEAD^{commit}');
  if (head === undefined) return '';
  if (head !== commit) return `! ${head.slice(0, 7)} is checked out, and this build is of ${commit.slice(0, 7)}.\n`;
  const names = await uncommitted(themesDir, commit);
  if (names.length === 0) return '';
  return `! ${themesDir} is not exactly ${commit.slice(0, 7)}, and this build may not be: ${firstOf(names, MAX_NAMED)}.\n`;
}

const MAX_NAMED = 5;

async function hostOf(named: string, edgeOutDir: string): Promise<EdgeHost> {
  const folders = new Set((await new ContainedFolder(edgeOutDir).list()).map(({ name }) => name));
  const hosts = DEPLOYED_HOSTS.filter((host) => folders.has(host));
  const host = named === '' && hosts.length === 1 ? hosts[0] : hosts.find((one) => one === named);
  if (host !== undefined) return host;
  throw new UsageError(
    hosts.length === 0
      ? `No host of this build has a deploy.sh: \`edge\` in site.yaml names none of ${quoteList(DEPLOYED_HOSTS)}.`
      : DEPLOYED_HOSTS.some((known) => known === named)
        ? `This build is for ${quoteList(hosts, 'and')}. To deploy to \`${named}\`, add it to \`edge\` in site.yaml, and build again.`
        : `HOST must be ${quoteList(hosts)}${named === '' ? '' : `, not \`${named}\``}.`,
  );
}

/** A script that comes with a checkout is not run, and such files are not published. */
async function refuseTracked(places: readonly string[]): Promise<void> {
  for (const place of places) {
    const link = plantedLink(place);
    // Of a submodule, too: the checkout that the folder itself lies in.
    const [tracked] = await trackedFiles(checkoutOf(place), [place]);
    if (link === undefined && tracked === undefined) continue;
    const shown = path.relative('', link ?? tracked?.path ?? place);
    throw new UsageError(
      link === undefined
        ? `Git tracks ${shown}, so it is not known to be of a build. Remove it with \`git rm -r --cached ${shown}\`, and build again.`
        : `${shown} is a link, and links in a checkout are not followed. Remove it, and build again.`,
    );
  }
}
