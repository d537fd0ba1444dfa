import { count, quote } from '../quote.ts';
import { didYouMean } from '../suggest.ts';
import { error } from './entry.ts';

/** Returns the name of a host for the start of a sentence: `A static host`, but `nginx`. */
function atStart(host: string): string {
  return host.replace(/^a /, 'A ');
}

/** Diagnostics about limits of the hosts that `edge` lists. */
export const edgeCatalogue = {
  'edge/inexpressible': error('a setting that cannot be expressed for a host', {
    message: ({ reason }: { host: string; reason: string }) => `${reason}.`,
    hint: ({ host }) => `Change that, or remove ${host} from \`edge\` in site.yaml.`,
  }),
  'edge/unread-keys': error('a mapping that no rule of `identity` reads', {
    message: ({ kind, keys }: { kind: 'user' | 'group'; keys: number }) =>
      `No rule of \`identity\` reads ${kind}s, so the ${keys === 1 ? kind : count(keys, kind)} mapped here would get the default theme.`,
    hint: ({ kind }) => `Add a rule \`${kind}: …\` to \`identity\` in site.yaml, or delete these ${kind}s.`,
  }),
  'edge/identity': error('an identity rule that a host does not support', {
    message: ({ hosts, rule }: { hosts: readonly string[]; rule: string }) =>
      `${atStart(new Intl.ListFormat('en').format(hosts))} cannot read the ${rule}.`,
    hint: ({ hosts }) =>
      `Change this rule, or remove ${hosts.length === 1 ? 'the host' : 'these hosts'} from \`edge\`; the capability table in the documentation lists what each host supports.`,
  }),
  'edge/hostname': error('a declared hostname that no request can have', {
    message: ({ name }: Hostname) => `The hostname ${quote(name)} is not one that requests have.`,
    hint: ({ meant }) =>
      meant === undefined
        ? 'Write a hostname in lower case, without port, like `sea.example.org`. IP addresses and wildcards cannot be declared.'
        : `Write ${quote(meant)}.`,
  }),
  'edge/hostname-theme': error('a hostname whose theme does not exist', {
    message: ({ name, theme }: { name: string; theme: string; suggestion: string | undefined }) =>
      `There is no theme ${quote(theme)} for the hostname ${quote(name)}.`,
    hint: ({ suggestion }) => didYouMean(suggestion) ?? 'Write the folder name of a theme.',
  }),
  'edge/case-collision': error('user keys that differ only in case, for a case-insensitive host', {
    message: ({ host, first }: { host: string; first: string }) =>
      `${atStart(host)} compares keys case-insensitively, so this user has the same key as the one in ${quote(first)}.`,
    hint: () => 'Use keys that differ in more than case, or remove the host from `edge` in site.yaml.',
  }),
  'edge/too-many': error('more users or redirects than a host holds', {
    message: ({ host, what, found, limit }: { host: string; what: 'key' | 'redirect'; found: number; limit: number }) =>
      `${atStart(host)} holds ${limit === 0 ? `no ${what}` : `at most ${count(limit, what)}`}, but the site has ${count(found, what)}.`,
    hint: ({ what }) =>
      `${what === 'key' ? 'Map groups instead of users' : 'Delete redirects that clients no longer request'}, or remove the host from \`edge\` in site.yaml.`,
  }),
};

export interface Hostname {
  name: string;
  /** The canonical form, if there is one. */
  meant: string | undefined;
}
