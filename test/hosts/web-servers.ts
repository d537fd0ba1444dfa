import type { EdgeHost } from '../../src/theme/site.ts';

/**
 * The hosts with a configuration language of their own (`test/unit/hosts/registry.test.ts` compares them with the adapters). What is
 * tested of each language is a record by them, so that the tests do not compile without a host.
 */
export const WEB_SERVERS = ['nginx', 'apache', 'caddy'] as const satisfies readonly EdgeHost[];
export type WebServer = (typeof WEB_SERVERS)[number];
