import fallback from '../../src/client/fixtures/default.json' with { type: 'json' };
import theme from '../../src/client/fixtures/emoji.json' with { type: 'json' };
import { FAULTS } from './faulty-service.ts';

const faults = Object.keys(FAULTS);

/**
 * The result of `exercise()` in every runtime. An unusable response leaves the last good theme and list, or the fallback for a new
 * client.
 */
export const EXPECTED = {
  name: theme.name,
  logo: theme.logo,
  notModified: theme.name,
  list: [theme.id, 2],
  keys: ['/api/v2/theme/config/', '/api/v2/theme/'].map((document) => `themecast:/service${document}`),
  faulty: Object.fromEntries(faults.map((fault) => [fault, [theme.name, 2, fallback.name]])),
  late: [theme.name, theme.name],
  seen: [fallback.name, theme.name, fallback.name],
  left: 0,
};
