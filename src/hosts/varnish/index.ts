import type { EdgeAdapter } from '../adapter.ts';
import { WEB_SERVER } from '../presets.ts';
import { configFile } from '../config-file.ts';
import { keysVcl } from './keys.ts';
import { readme } from './readme.ts';
import { requestsVcl } from './requests.ts';
import { serviceVcl, theService } from './service.ts';

/** Varnish in front of any server of static files: VCL chooses the file, and the cache holds one object for each file, not for each user. */
export const varnish: EdgeAdapter = {
  title: 'Varnish',
  capabilities: {
    ...WEB_SERVER,
    maxKeys: 100_000,
    // On Varnish 7.1, UUIDs: 100,000 load in 3 s and 48 MB and answer 15,000 requests a second, 1,000 answer 44,000. Of the longest
    // keys that there can be, 100,000 take 78 s to load; of short ones a million 43 s.
    maxKeysBecause: 'measured',
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
