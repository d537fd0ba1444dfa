import { visible } from '../../diagnostics/quote.ts';

export interface GitHost {
  name: 'GitHub' | 'GitLab';
  /** With the port, if any. */
  host: string;
  /** `owner/name`; groups of GitLab may be nested. */
  repository: string;
}

/**
 * Returns the Git host of a remote: github.com, gitlab.com, or another host whose name begins with `gitlab.`.
 * @param remoteUrl - in a form of Git: `https://…`, `ssh://…` or `git@host:path`
 */
export function gitHost(remoteUrl: string): GitHost | undefined {
  const remote = parseRemote(remoteUrl);
  if (remote === undefined) return undefined;
  const { host, repository } = remote;
  if (host === 'github.com' && repository.split('/').length === 2) return { name: 'GitHub', host, repository };
  return /^gitlab\.[a-z0-9.-]+(?::\d+)?$/.test(host) ? { name: 'GitLab', host, repository } : undefined;
}

/** Parses the host (with its port, if it serves web pages) and the path of a repository, without `.git`. */
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
  // No host allows invisible characters in names of repositories, and pages show the name.
  if (repository === undefined || visible(repository) !== repository) return undefined;
  if (parts.length < 2 || parts.some((part) => /^\.{0,2}$/.test(part))) return undefined;
  // The port of ssh is not the port of the web pages.
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
