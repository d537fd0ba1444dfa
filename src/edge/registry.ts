import type { EdgeHost } from '../theme/site.ts';
import type { EdgeAdapter } from './adapter.ts';
import { nginx } from './nginx.ts';

/** The adapter of each host that `edge:` in site.yaml may name. */
export const adapters: Record<EdgeHost, EdgeAdapter> = { nginx };
