import { git } from '../../../system/git/git.ts';
import { gitHost } from '../../../core/document/preview/git-host.ts';
import type { FileLinks } from '../format-markdown.ts';

/** Returns the Git host of a checkout; undefined for an unknown one. */
export async function fileLinks(themesDir: string): Promise<FileLinks | undefined> {
  const url = await git(themesDir, 'remote', 'get-url', 'origin');
  const folder = (await git(themesDir, 'rev-parse', '--show-prefix')) ?? '';
  const host = url === undefined ? undefined : gitHost(url);
  return host === undefined ? undefined : { host, folder };
}
