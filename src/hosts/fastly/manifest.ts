import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { secretNames } from '../secrets.ts';

/** Names of what belongs to the service, as its code asks for them. */
export const FILES_BACKEND = 'files';
export const STORE = 'themecast';

/** The backend of each place with public keys: Compute sends requests to backends that the service names, and to no other. */
export function jwksBackends({ identity }: EdgeRules): { url: string; name: string }[] {
  const urls = identity.flatMap(({ credential }) =>
    credential.from === 'jwt' && credential.key.algorithm !== 'HS256' ? [credential.key.jwksUrl] : [],
  );
  return [...new Set(urls)].map((url, index) => ({ url, name: `jwks-${index + 1}` }));
}

/** `fastly.toml`: how the package is built, and what `fastly compute publish` sets up the first time. */
export function manifestToml(rules: EdgeRules): string {
  const keys = jwksBackends(rules).map(({ url, name }) => {
    const { hostname, port } = new URL(url);
    return `
[setup.backends.${name}]
description = ${toml(`Public keys: ${url}`)}
address = ${toml(hostname)}
port = ${port || 443}
`;
  });
  const entries = secretNames(rules).map(
    (name) => `
[setup.secret_stores.${STORE}.entries.${name}]
description = "${MIN_SECRET_BYTES} characters or more"
`,
  );
  return `# themecast: the theme service on Fastly Compute. Generated from site.yaml: change that, not this.
manifest_version = 3
name = "theme-service"
language = "javascript"

[scripts]
build = "npx js-compute-runtime src/index.js bin/main.wasm"

[setup.backends.${FILES_BACKEND}]
description = "The host that serves dist/ as plain files"
port = 443
${keys.join('')}
[setup.kv_stores.${STORE}]
description = "Who gets which theme"
${entries.join('')}`;
}

/** A basic string of TOML, whose escapes those of JSON are a part of (toml.io, "String"). */
function toml(text: string): string {
  return JSON.stringify(text);
}

export const PACKAGE_JSON = `${JSON.stringify(
  { name: 'theme-service', private: true, type: 'module', devDependencies: { '@fastly/js-compute': '^3.34.0' } },
  null,
  2,
)}\n`;
