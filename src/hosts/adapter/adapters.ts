import { EDGE_HOSTS } from '../../core/theme/site/site.ts';
import { loadAdapters } from './registry.ts';

/** The adapters of all hosts. A build loads only those that it needs. */
export const adapters = await loadAdapters(EDGE_HOSTS);
