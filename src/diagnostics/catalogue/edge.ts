import { quote } from '../quote.ts';
import { error } from './entry.ts';

/** Findings about what the hosts asked for under `edge:` cannot hold or express. */
export const edgeCatalogue = {
  'edge/case-collision': error('user keys that differ only by case, for a host that ignores case', {
    message: ({ host, first }: { host: string; first: string }) =>
      `${host} ignores letter case in its map, so this user cannot be told from the one in ${quote(first)}.`,
    hint: ({ host }) => `Use keys that differ by more than case, or take ${host} out of \`edge\` in site.yaml.`,
  }),
  'edge/too-many-users': error('more users than a host can hold', {
    message: ({ host, users, limit }: { host: string; users: number; limit: number }) =>
      `${host} holds at most ${limit.toLocaleString('en')} users; ${users.toLocaleString('en')} have a theme of their own.`,
    hint: () => 'Map groups instead of users, or choose a host that keeps its map in a database.',
  }),
};
