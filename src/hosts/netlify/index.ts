import { textFile } from '../../document/output-file.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { EDGE_CODE } from '../presets.ts';
import { handlerModules, embeddedMapping, moduleFile, ownRequestHeaders, rulesModule } from '../handler-modules.ts';
import { edgeFunction, MODULES } from './function.ts';
import { netlifyToml } from './config.ts';

/** A Netlify edge function with the mapping in its code. */
export const netlify: EdgeAdapter = {
  title: 'Netlify',
  capabilities: {
    ...EDGE_CODE,
    // Measured: 100,000 keys of the maximum length are 10 MB compressed and load in 0.3 s on a busy machine.
    maxKeys: 100_000,
    maxKeysBecause: 'an edge function is limited to 20 MB and loaded at every cold start',
    redirects: 10_000,
    redirectsBecause: 'they are part of the edge function',
    keyed: { maxKeys: 1_000_000, maxKeysBecause: 'measured: 6.8 MB of 20, loaded in 0.2 s at every cold start' },
  },
  storedIn: (_kind, _key, folder) => `${folder}/${MODULES}mapping.js`,
  files(input) {
    const { rules, mapping } = input;
    const data = [rulesModule(`${MODULES}rules.js`, rules), embeddedMapping(MODULES, mapping)];
    return [
      moduleFile('netlify/edge-functions/theme.js', edgeFunction(rules, ownRequestHeaders(data))),
      ...data,
      ...handlerModules(MODULES, input, ['site-file.js']),
      textFile('netlify.toml', netlifyToml(rules), 'application/toml', 'config'),
    ];
  },
  routing: 'Add each as a domain alias of the site.',
};
