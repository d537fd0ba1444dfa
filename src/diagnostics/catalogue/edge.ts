import { count, quote } from '../quote.ts';
import { error } from './entry.ts';

/** Findings about what the hosts asked for under `edge:` cannot hold or express. */
export const edgeCatalogue = {
  'edge/public-file': error('two hosts that write the same file in `dist/`', {
    message: ({ host, other, path }: { host: string; other: string; path: string }) =>
      `${host} and ${other} both write ${quote(path)} in the published folder, each its own way.`,
    hint: ({ host, other }) => `Keep one of ${host} and ${other} in \`edge\`, and build for the other separately.`,
  }),
  'edge/inexpressible': error('a setting that cannot be written for a host', {
    message: ({ reason }: { host: string; reason: string }) => `${reason}.`,
    hint: ({ host }) => `Shorten that setting in site.yaml, or take ${host} out of \`edge\`.`,
  }),
  'edge/unread-keys': error('a mapping that no rule of `identity` reads', {
    message: ({ kind, keys }: { kind: 'user' | 'group'; keys: number }) =>
      `No rule of \`identity\` reads ${kind}s, so the ${count(keys, kind)} mapped here would get the default theme.`,
    hint: ({ kind }) => `Add a rule \`${kind}: …\` to \`identity\` in site.yaml, or delete them here.`,
  }),
  'edge/identity': error('a way of identifying users that a host cannot express', {
    message: ({ hosts, rule }: { hosts: readonly string[]; rule: string }) =>
      `${new Intl.ListFormat('en').format(hosts)} cannot read the ${rule}.`,
    hint: ({ hosts }) =>
      `Change this rule, or take ${hosts.length === 1 ? 'the host' : 'these hosts'} out of \`edge\`; the README's capability table says what each host can do.`,
  }),
  'edge/case-collision': error('user keys that differ only by case, for a host that ignores case', {
    message: ({ host, first }: { host: string; first: string }) =>
      `${host} ignores letter case in its map, so this user cannot be told from the one in ${quote(first)}.`,
    hint: () => `Use keys that differ by more than case, or take it out of \`edge\` in site.yaml.`,
  }),
  'edge/too-many-users': error('more users than a host can hold', {
    message: ({ host, users, limit, because }: { host: string; users: number; limit: number; because: string }) =>
      limit === 0
        ? `${host} cannot give users themes of their own (${because}), and the site maps ${count(users, 'key')}.`
        : `${host} holds at most ${count(limit, 'key')} (${because}), and the site maps ${count(users, 'key')}.`,
    hint: ({ limit }) =>
      limit === 0
        ? `Take it out of \`edge\` in site.yaml, or publish a site without users there.`
        : `Map groups instead of users, or take it out of \`edge\` in site.yaml.`,
  }),
};
