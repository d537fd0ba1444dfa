import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { secretNames } from '../secrets.ts';

/** Names of the resources of the service, as used by its code. */
export const FILES_BACKEND = 'files';
export const STORE = 'themecast';

/** The backend of each URL with public keys: Compute sends requests only to declared backends. */
export function jwksBackends({ identity }: EdgeRules): { url: string; name: string }[] {
  const urls = identity.flatMap(({ credential }) =>
    credential.from === 'jwt' && credential.key.algorithm !== 'HS256' ? [credential.key.jwksUrl] : [],
  );
  return [...new Set(urls)].map((url, index) => ({ url, name: `jwks-${index + 1}` }));
}

/** `fastly.toml`: the build of the package, and the resources that `fastly compute publish` creates the first time. */
export function manifestToml(rules: EdgeRules): string {
  const keys = jwksBackends(rules).map(({ url, name }) => {
    const { hostname, port } = new URL(url);
    return `
[setup.backends.${name}]
description = ${quoteToml(`Public keys: ${url}`)}
address = ${quoteToml(hostname)}
port = ${port || 443}
`;
  });
  const entries = secretNames(rules).map(
    (name) => `
[setup.secret_stores.${STORE}.entries.${name}]
description = "${MIN_SECRET_BYTES} characters or more"
`,
  );
  return `# themecast: the theme service on Fastly Compute. Generated from site.yaml: edit that file instead.
manifest_version = 3
name = "theme-service"
language = "javascript"

[scripts]
build = "npx js-compute-runtime src/index.js bin/main.wasm"

[setup.backends.${FILES_BACKEND}]
description = "The host that serves dist/ as static files"
port = 443
${keys.join('')}
[setup.kv_stores.${STORE}]
description = "Mapping of keys to themes"
${entries.join('')}`;
}

/** Quotes a basic string of TOML, whose escapes include those of JSON (toml.io, "String"). */
function quoteToml(text: string): string {
  return JSON.stringify(text);
}

export const PACKAGE_JSON = `${JSON.stringify(
  { name: 'theme-service', private: true, type: 'module', devDependencies: { '@fastly/js-compute': '^3.34.0' } },
  null,
  2,
)}\n`;
