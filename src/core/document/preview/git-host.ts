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
  // The short form of ssh, as in git-clone(1): no slash before the colon.
  const short = /^(?:[^@/\s]+@)?([a-z0-9.-]+):(?!\/)(.+)$/i.exec(remoteUrl);
  const text = short === null ? remoteUrl : `ssh://${short[1]}/${short[2]}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'ssh:'].includes(url.protocol)) return undefined;
  // The port of ssh is not the port of the web pages.
  const host = (url.protocol === 'https:' ? url.host : url.hostname).toLowerCase();
  const repository = url.pathname.replace(/^\/|\/+$/g, '').replace(/\.git$/, '');
  const steps = repository.split('/').length;
  if (host === 'github.com' && steps === 2) return { name: 'GitHub', host, repository };
  const isGitLab = /^gitlab\.[a-z0-9.-]+(?::\d+)?$/.test(host) && steps >= 2;
  return isGitLab ? { name: 'GitLab', host, repository } : undefined;
}
