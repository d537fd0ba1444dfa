import type { EdgeAdapter } from '../adapter.ts';
import { WEB_SERVER } from '../presets.ts';
import { configFile } from '../config-file.ts';
import { keysVcl } from './keys.ts';
import { readme } from './readme.ts';
import { requestsVcl } from './requests.ts';
import { serviceVcl, theService } from './service.ts';

/** Varnish in front of any static origin: VCL chooses the file, and the cache stores one object per file, not per user. */
export const varnish: EdgeAdapter = {
  title: 'Varnish',
  capabilities: {
    ...WEB_SERVER,
    maxKeys: 100_000,
    // Measured on Varnish 7.1 with UUIDs: 100,000 keys load in 3 s and 48 MB and serve 15,000 requests per second, 1,000 keys 44,000.
    // 100,000 keys of the maximum length take 78 s to load, a million short ones 43 s.
    maxKeysBecause: 'measured',
    redirects: 2000,
    redirectsBecause: 'measured: they compile in 9 s',
  },
  storedIn: (kind, _, folder) => `${folder}/${kind}s.vcl`,
  files({ rules, mapping }) {
    return [
      configFile('service.vcl', serviceVcl(rules)),
      configFile('requests.vcl', requestsVcl(rules)),
      configFile('theme-service.vcl', theService()),
      configFile('users.vcl', keysVcl('user', mapping)),
      configFile('groups.vcl', keysVcl('group', mapping)),
    ];
  },
  readme: ({ rules }) => readme(rules),
};
