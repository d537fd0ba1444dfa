import { textFile } from '../../document/output-file.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { EDGE_CODE } from '../presets.ts';
import { keyFiles, shardFiles } from './kv.ts';
import { MAPPING_BINDING } from './worker.ts';
import { KEY_PREFIX, workerModule } from './worker.ts';
import { wranglerConfig } from './wrangler.ts';
import { fileHeaders, headersFile } from '../headers-file.ts';
import { handlerModules, moduleFile, rulesModule } from '../handler-modules.ts';

/** A Cloudflare Worker with static assets, and the mapping in KV. */
export const cloudflare: EdgeAdapter = {
  title: 'Cloudflare',
  capabilities: {
    ...EDGE_CODE,
    maxKeys: 10_000_000,
    maxKeysBecause: 'KV has no limit; a thousand bulk files of 10,000',
    redirects: 10_000,
    redirectsBecause: 'they are part of the Worker',
    keyed: { maxKeys: 10_000_000, maxKeysBecause: 'KV has no limit; two bulk files' },
  },
  storedIn: (kind, key) => `KV, as ${KEY_PREFIX[kind]}${key}`,
  files(input) {
    const { rules, mapping } = input;
    return [
      moduleFile('worker.js', workerModule(rules)),
      rulesModule('rules.js', rules),
      ...handlerModules('', input),
      textFile('wrangler.jsonc', wranglerConfig(rules), 'text/plain; charset=utf-8', 'config'),
      ...(mapping.shards === undefined ? keyFiles(mapping) : shardFiles(mapping.shards)),
    ];
  },
  routing: 'Add a route or a custom domain for each.',
  readme: () => ({ binding: MAPPING_BINDING }),
  // Missing files are handled by the Worker, so these headers are never on a 404.
  publicFiles: ({ rules }) => [
    textFile('_headers', headersFile(fileHeaders(rules)), 'text/plain; charset=utf-8', 'list'),
  ],
};
