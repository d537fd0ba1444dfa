import type { EdgeHost } from '../../core/theme/site/site.ts';
import { MIN_SECRET_BYTES } from '../../core/edge-runtime/token.ts';
import type { EdgeAdapter, EdgeInput } from './adapter.ts';
import { capabilityList } from '../contract/capability-table.ts';
import { redirectPairs } from '../contract/redirects.ts';
import { identitySecrets, KEY_SECRET, OLD_KEY_SECRET, secretNames, sharedSecrets } from '../contract/secrets.ts';
import { fillFile, type View } from './template.ts';

const SHARDS = 'the mapping as keyed digests, which reveal no key without the secret; still **personal data**';

const KEY_SECRET_NOTE = `Use the same \`${KEY_SECRET}\` as the build; create one with \`openssl rand -hex 32\`.
   Anyone with the secret and the shards can test which keys they contain.`;

/** Returns README.md of a host, for the administrator who installs the generated files. */
export function readme(adapter: EdgeAdapter, host: EdgeHost, input: EdgeInput): string {
  const { rules, templates } = input;
  const view = { ...contractView(input), ...adapter.readme?.(input) };
  const text = fillFile(templates, `${host}/README.md`, view).trimEnd();
  return fillFile(templates, 'common-readme.md', {
    ...view,
    moved: redirectPairs(rules).length > 0,
    readme: text,
    host,
    base_url: rules.baseUrl,
    deploys: host !== 'fetch',
    has_users: adapter.capabilities.maxKeys > 0,
    capabilities: capabilityList(adapter),
    hostnames: adapter.routing !== undefined && rules.identity.some(({ credential }) => credential.from === 'host'),
    routing: adapter.routing ?? '',
  });
}

/** Returns the template values that several READMEs share. */
export function contractView({ rules, templates }: EdgeInput): View {
  const { endpoints, basePath, origin, keyed, identity } = rules;
  const names = { key_secret: KEY_SECRET, old_key_secret: OLD_KEY_SECRET };
  return {
    list: endpoints.list.path,
    config: endpoints.config.path,
    base_path: basePath,
    document_root: origin.document_root,
    listen: origin.listen,
    schemas: rules.schemas.length > 0,
    keyed,
    min_secret: String(MIN_SECRET_BYTES),
    ...names,
    key_secret_note: KEY_SECRET_NOTE,
    // For hosts that embed the shards in their code.
    rotate_secret: keyed ? fillFile(templates, 'rotate-secret.md', names).trimEnd() : '',
    shards: SHARDS,
    secrets: secretList(secretNames(rules)),
    identity_secrets: secretList(identitySecrets(rules.identity)),
    shared: secretList(sharedSecrets(identity)),
  };
}

/** Returns names of secrets with their separators in a list. `value` creates a new secret, except for the build's key secret. */
export function secretList(names: readonly string[]): View[] {
  return names.map((secret, index) => ({
    secret,
    value: secret === KEY_SECRET ? `$${secret}` : '$(openssl rand -hex 32)',
    comma: index === 0 ? '' : ', ',
    and: index === 0 ? '' : ' and ',
    space: index === 0 ? '' : ' ',
  }));
}
