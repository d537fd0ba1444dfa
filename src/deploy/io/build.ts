import path from 'node:path';
import { UsageError } from '../../command-line/command.ts';
import { requireGit } from '../../command-line/require-git.ts';
import { repeatedFlags } from '../../command-line/site-root.ts';
import { quoteList, visibleLines } from '../../diagnostics/quote.ts';
import { parseManifest } from '../../document/deployment.ts';
import { DEPLOYED_HOSTS } from '../../hosts/deploy-scripts.ts';
import { ContainedFolder } from '../../io/disk/contained-folder.ts';
import { sha256Of } from '../../io/disk/files.ts';
import { checkoutOf, trackedFiles } from '../../io/disk/tracked.ts';
import { revParse } from '../../io/git.ts';
import { invocation } from '../../io/invocation.ts';
import { MAX_LIST_BYTES, readRules } from '../../io/built.ts';
import type { EdgeHost } from '../../theme/site.ts';
import type { Built } from '../plan.ts';
import { isChanged } from './history.ts';
import { hasChangedSince } from '../../compiler/left-output.ts';

interface Folders {
  themes: string;
  out: string;
  'edge-out': string;
  'allow-unknown': boolean;
}

/** @throws {UsageError} if there is no build, no host, or no commit */
export async function openBuild(named: string, folders: Folders): Promise<Built> {
  const { themes: themesDir, out: outDir, 'edge-out': edgeOutDir } = folders;
  const { mediaUrl, baseUrl } = await readRules(edgeOutDir);
  const bytes = await new ContainedFolder(outDir).read('manifest.json', MAX_LIST_BYTES);
  const manifest = bytes && parseManifest(bytes.toString('utf8'), JSON.parse);
  if (bytes === undefined || manifest === undefined)
    throw new UsageError(`There is no build in ${outDir}. Run \`${invocation('build')}\` first.`);
  if (manifest.base_url !== baseUrl)
    throw new UsageError(`${outDir} and ${edgeOutDir} are of different builds. Run \`${invocation('build')}\` again.`);
  const host = await hostOf(named, edgeOutDir);
  const script = path.join(edgeOutDir, host, 'deploy.sh');
  await refuseTracked([outDir, path.join(edgeOutDir, host)]);
  await requireGit(themesDir);
  const commit = await revParse(themesDir, 'HEAD^{commit}');
  if (commit === undefined)
    throw new UsageError(
      `Commit ${themesDir} first (${checkoutOf(path.resolve(themesDir)) === undefined ? '`git init && ' : '`'}git add --all && git commit -m Themes\`): \`deploy\` compares what is live by its commit.`,
    );
  const hasChanged = await hasChangedSince(themesDir, { outDir, edgeOutDir });
  // An archive may bring a build with a hostile script.
  if (hasChanged === undefined && !folders['allow-unknown'])
    throw new UsageError(
      `This machine knows of no build in ${outDir}, so ${script} is not run. Run \`${invocation('build')}\` with a cache; or trust that build, and add \`--allow-unknown\`.`,
    );
  if (hasChanged)
    throw new UsageError(
      `${themesDir} has been edited or checked out since this build. Run \`${invocation('build')}\` again, so that ${commit.slice(0, 7)} is what goes live.`,
    );
  if (await isChanged(themesDir))
    process.stderr.write(
      visibleLines(
        `! ${themesDir} has changes that are not committed: what goes live is not exactly ${commit.slice(0, 7)}.\n`,
      ),
    );
  const flags = repeatedFlags({ themes: themesDir, out: outDir, 'edge-out': edgeOutDir });
  const deploys = (...more: string[]): string => invocation('deploy', [host, ...flags, ...more]);
  const build = { host, script, themesDir, outDir, edgeOutDir, commit, baseUrl, mediaUrl, files: manifest.files };
  return {
    ...build,
    manifest: sha256Of(bytes),
    cacheControl: manifest.cache_control,
    repeat: `\`${deploys()}\``,
    difference: (live) => invocation('diff', [live, ...repeatedFlags({ themes: themesDir })]),
    again: (other, ...more) => `git checkout ${other} && ${invocation('build', flags)} && ${deploys(...more)}`,
  };
}

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
  const [tracked] = await trackedFiles(
    checkoutOf(path.dirname(path.resolve(places[0] ?? ''))),
    places.map((place) => path.resolve(place)),
  );
  if (tracked === undefined) return;
  const shown = path.relative('', tracked.path);
  throw new UsageError(
    `Git tracks ${shown}, so it is not known to be of a build. Remove it with \`git rm -r --cached ${shown}\`, and build again.`,
  );
}
