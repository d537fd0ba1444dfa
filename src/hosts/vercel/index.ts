import { textFile } from '../../document/output-file.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { EDGE_CODE } from '../presets.ts';
import { handlerModules, embeddedMapping, moduleFile, ownRequestHeaders, rulesModule } from '../handler-modules.ts';
import { middlewareModule, MODULES } from './middleware.ts';
import { vercelJson } from './config.ts';

/** Vercel's middleware, with the mapping in its code. */
export const vercel: EdgeAdapter = {
  title: 'Vercel',
  capabilities: {
    ...EDGE_CODE,
    // Measured: this many keys of the maximum length just fit.
    maxKeys: 10_000,
    maxKeysBecause: 'a middleware is limited to 1 MB, compressed',
    // The limit of Vercel is 2,048 routes; images take five.
    redirects: 2043,
    redirectsBecause: '2,048 routes',
    keyed: { maxKeys: 130_000, maxKeysBecause: 'measured: 0.97 MB of 1, compressed' },
  },
  storedIn: (_kind, _key, folder) => `${folder}/${MODULES}mapping.js`,
  files(input) {
    const { rules, mapping } = input;
    // vercel.json has them.
    const { redirects: _, ...withoutRedirects } = rules;
    const data = [rulesModule(`${MODULES}rules.js`, withoutRedirects), embeddedMapping(MODULES, mapping)];
    return [
      moduleFile('middleware.js', middlewareModule(rules, ownRequestHeaders(data))),
      ...data,
      ...handlerModules(MODULES, input, ['site-file.js']),
      textFile('vercel.json', vercelJson(rules), 'application/json', 'config'),
      textFile('package.json', '{ "private": true, "type": "module" }\n', 'application/json', 'config'),
    ];
  },
  routing: 'Add each as a domain of the project.',
};
