import { inQuotes, visible } from '../diagnostics/quote.ts';

/** A repository on a Git host. */
export interface GitHost {
  name: 'GitHub' | 'GitLab';
  /** With its port, if it has one. */
  host: string;
  /** `owner/name`; groups of GitLab may be nested. */
  repository: string;
}

/** Pages of a Git host on which themes are edited. */
export interface GitLinks {
  host: GitHost['name'];
  /** Edits theme.yaml. */
  edit: (slug: string) => string;
  /** Uploads images into the folder of the theme; GitLab has no URL for that, and shows the folder, which has a button. */
  upload: (slug: string) => string;
  /** Creates the theme.yaml of a new theme. @param parent - slug of the theme that it starts from */
  create: (id: number, parent: string) => string;
}

/**
 * The pages of the host that a remote names: github.com, gitlab.com and other hosts whose name begins with `gitlab.`.
 * @param remoteUrl - as in Git: `https://…`, `ssh://…` or `git@host:path`. A password in it does not appear in the links.
 * @param themesPath - folder of the themes below the root of the repository, with `/`; empty for the root
 */
export function gitLinks(remoteUrl: string, branch: string, themesPath: string): GitLinks | undefined {
  const remote = gitHost(remoteUrl);
  if (remote === undefined || branch === '') return undefined;
  const { name, host, repository } = remote;
  const home = `https://${host}/${encodePath(repository)}`;
  const folder = themesPath === '' ? '' : `${themesPath}/`;
  const at = (page: string, path = '') => `${home}/${page}/${encodePath(path === '' ? branch : `${branch}/${path}`)}`;
  const created = `${folder}new-theme/theme.yaml`;
  if (name === 'GitHub') {
    return {
      host: name,
      edit: (slug) => at('edit', `${folder}${slug}/theme.yaml`),
      upload: (slug) => at('upload', `${folder}${slug}`),
      create: (id, parent) =>
        `${at('new')}?filename=${encodeURIComponent(created)}&value=${encodeURIComponent(newTheme(id, parent))}`,
    };
  }
  return {
    host: name,
    edit: (slug) => at('-/edit', `${folder}${slug}/theme.yaml`),
    upload: (slug) => at('-/tree', `${folder}${slug}`),
    // Its form takes the file name from the URL, but no content.
    create: () => `${at('-/new')}?file_name=${encodeURIComponent(created)}`,
  };
}

/** The host that a remote names, if it is a known one; see {@link gitLinks}. */
export function gitHost(remoteUrl: string): GitHost | undefined {
  const remote = parseRemote(remoteUrl);
  if (remote === undefined) return undefined;
  const { host, repository } = remote;
  if (host === 'github.com' && repository.split('/').length === 2) return { name: 'GitHub', host, repository };
  return /^gitlab\.[a-z0-9.-]+(?::\d+)?$/.test(host) ? { name: 'GitLab', host, repository } : undefined;
}

/** Host (with its port, if it serves web pages) and path of a repository, without `.git`. */
function parseRemote(remoteUrl: string): { host: string; repository: string } | undefined {
  // The short form of ssh, as in git-clone(1): no slash before the colon.
  const short = /^(?:[^@/\s]+@)?([a-z0-9.-]+):(?!\/)(.+)$/i.exec(remoteUrl);
  const text = short === null ? remoteUrl : `ssh://${short[1]}/${short[2]}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'ssh:'].includes(url.protocol)) return undefined;
  const repository = decoded(url.pathname)
    ?.replace(/^\/|\/+$/g, '')
    .replace(/\.git$/, '');
  const parts = repository?.split('/') ?? [];
  // No host has such names, and they would appear in texts.
  if (repository === undefined || visible(repository) !== repository) return undefined;
  if (parts.length < 2 || parts.some((part) => /^\.{0,2}$/.test(part))) return undefined;
  // A port of ssh is not that of the web pages.
  const host = url.protocol === 'https:' ? url.host : url.hostname;
  return { host: host.toLowerCase(), repository };
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** A theme that is complete from the start, because it inherits everything. */
function newTheme(id: number, parent: string): string {
  return `# yaml-language-server: $schema=../theme.schema.json
# Rename the folder new-theme. Fields that are absent here come from the theme below; add those that differ.
extends: ${inQuotes(parent)}
id: ${id}
name: New theme
`;
}
