import { textFile } from '../../document/output-file.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { EDGE_CODE } from '../presets.ts';
import { keyLines, shardLines } from './kv.ts';
import { manifestToml, PACKAGE_JSON } from './manifest.ts';
import { FILES_BACKEND, jwksBackends, STORE } from './manifest.ts';
import { serviceModule } from './service.ts';
import { handlerModules, moduleFile, rulesModule } from '../handler-modules.ts';

/** Fastly Compute with a KV Store, in front of any static host of `dist/`. */
export const fastly: EdgeAdapter = {
  title: 'Fastly',
  capabilities: {
    ...EDGE_CODE,
    maxKeys: 1_000_000,
    maxKeysBecause: 'an hour or more to upload',
    redirects: 10_000,
    redirectsBecause: 'they are part of the program',
    keyed: { maxKeys: 10_000_000, maxKeysBecause: 'a KV Store has no limit' },
  },
  storedIn: (kind, key) => `the KV Store, as ${kind}/${encodeURIComponent(key)}`,
  files(input) {
    const { rules, mapping } = input;
    return [
      textFile('fastly.toml', manifestToml(rules), 'text/plain; charset=utf-8', 'config'),
      textFile('package.json', PACKAGE_JSON, 'application/json', 'config'),
      moduleFile('src/index.js', serviceModule(rules)),
      rulesModule('src/rules.js', rules),
      ...handlerModules('src/runtime/', input),
      ...(mapping.shards === undefined ? [keyLines(mapping)] : shardLines(mapping.shards)),
    ];
  },
  routing: 'Add each as a domain of the service.',
  readme: ({ rules }) => ({ backends: jwksBackends(rules), files_backend: FILES_BACKEND, store: STORE }),
};
