import type { EdgeHost } from '../../src/core/theme/site/site.ts';

/**
 * The hosts with a configuration language (`test/unit/hosts/registry.test.ts` compares them with the adapters). Tests of each language
 * use a record with these keys, so they do not compile if a host is missing.
 */
export const WEB_SERVERS = ['nginx', 'apache', 'caddy'] as const satisfies readonly EdgeHost[];
export type WebServer = (typeof WEB_SERVERS)[number];
