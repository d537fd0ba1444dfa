import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { rulesFrom } from '../identity-rules.ts';
import { secretList } from '../readme.ts';
import { secretNames } from '../secrets.ts';
import type { View } from '../template.ts';

/** The resources of the service, by the names that its code uses. */
export const FILES_BACKEND = 'files';
export const STORE = 'themecast';

/** Returns a backend for each URL with public keys: Compute sends requests only to declared backends. */
export function jwksBackends({ identity }: EdgeRules): { url: string; name: string }[] {
  const urls = rulesFrom(identity, 'jwt').flatMap(({ credential: { key } }) => ('jwksUrl' in key ? [key.jwksUrl] : []));
  return [...new Set(urls)].map((url, index) => ({ url, name: `jwks-${index + 1}` }));
}

/** Returns the values of `fastly.toml`: the build, and the resources that the first `fastly compute publish` creates. */
export function manifestView(rules: EdgeRules): View {
  return {
    backends: jwksBackends(rules).map(({ url, name }) => {
      const { hostname, port } = new URL(url);
      // A basic string of TOML has the escapes of JSON (toml.io, "String").
      return {
        name,
        description: JSON.stringify(`Public keys: ${url}`),
        address: JSON.stringify(hostname),
        port: port || '443',
      };
    }),
    secrets: secretList(secretNames(rules)),
    min_secret: String(MIN_SECRET_BYTES),
    store: STORE,
    files_backend: FILES_BACKEND,
  };
}

export const PACKAGE_JSON = {
  name: 'theme-service',
  private: true,
  type: 'module',
  devDependencies: { '@fastly/js-compute': '^3.34.0' },
};
