/** What a host is given for paths, where builds may be releases: both outputs then have their files below `current/`, a link. */
export interface Releases {
  releases?: boolean | undefined;
}

/** The text of a README with the live release in its paths: `edge/nginx/` is `edge/current/nginx/`. */
export function withLivePaths(text: string, { releases = false }: Releases): string {
  return releases ? text.replace(/(?<![\w-])(dist|edge)\//g, '$1/current/') : text;
}

/**
 * The public root as seen from `edge/<host>/`. Of a release, as seen from where the link leads: a tool that is run in the folder
 * asks the system for its name, and gets `edge/releases/<id>/<host>/`.
 */
export function publicRoot({ releases = false }: Releases): string {
  return releases ? '../../../../dist/current' : '../../dist';
}
