import { forgeriesOf } from '../hosts/credentials.ts';
import { type Deployment, type LiveList, themeName } from './build.ts';
import { configRequest, themeOf } from './config-theme.ts';
import { type Exchange, urlOf } from './exchange.ts';
import { anonymousTheme, themeByRule } from './hostnames.ts';
import { judged } from './result.ts';
import { keysOf, withholding } from './requesters.ts';

/** Requests that claim to be of a user, or of a group, without what vouches for it: the default theme is right for each. */
export function forgedExchanges(deployment: Deployment, live: LiveList): Exchange[] {
  const { build } = deployment;
  if (!live.isCurrent || withholding(deployment) !== undefined) return [];
  return build.rules.identity.flatMap((rule) => {
    const fallback = anonymousTheme(build);
    const telling = [...keysOf(build, rule)].find(([theme]) => themeByRule(build, rule, theme) !== fallback);
    if (telling === undefined) return [];
    const [, key] = telling;
    return forgeriesOf(rule.credential, key).map(({ what, headers }): Exchange => {
      const request = configRequest(deployment, { headers });
      return {
        id: 'config/forged',
        request,
        judge: (response) => {
          const theme = themeOf(build, live, response) ?? fallback;
          const isBelieved = theme !== fallback;
          return [
            judged('config/forged', !isBelieved, `CONFIG accepts ${what}.`, {
              expected: themeName(build, fallback),
              found: themeName(build, theme),
              hint: `Any client can impersonate any user: the host does not use the identity rules in ${build.rulesAt}.`,
              url: urlOf(request),
            }),
          ];
        },
      };
    });
  });
}
