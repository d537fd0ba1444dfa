import { printable } from '../../diagnostics/quote.ts';
import { CONFIG } from '../../document/endpoint.ts';
import {
  anonymous,
  type Build,
  cookieName,
  type Deployment,
  type LiveList,
  type Requester,
  configTexts,
  requesters,
  themeName,
} from './build.ts';
import type { CheckId } from './checks.ts';
import {
  type Answer,
  type Asking,
  ask,
  type Exchange,
  jsonOf,
  judgedOutcome,
  type Request,
  requestTo,
  statusOf,
  urlOf,
  WHOLE,
} from './exchange.ts';
import { fault, type Finding, judged, passed } from './finding.ts';
import { endpointFindings, isType, members, sameMembers, shown } from './headers.ts';
import { contentType } from './list.ts';

/** A requester whom CONFIG answered. */
interface Answered {
  requester: Requester;
  answer: Answer;
}

/** GET CONFIG, as a program asks. */
function configRequest({ url }: Deployment, { headers }: Requester, more: Request['headers'] = {}): Request {
  return requestTo(url, CONFIG.path, { headers: { Accept: 'application/json', ...headers, ...more }, ...WHOLE });
}

/**
 * CONFIG as nobody and as some users, then with the validators of one theme as the user of another, and as nobody again.
 * @returns the answer to nobody too, if it is one that HEAD can be compared with
 */
export function* configFindings(deployment: Deployment, live: LiveList): Asking<{ findings: Finding[]; get?: Answer }> {
  const { build } = deployment;
  const everyone = [anonymous(build), ...requesters(deployment, live)];
  const requests = everyone.map((requester) => configRequest(deployment, requester));
  const outcomes = yield requests;
  const answered: Answered[] = [];
  const findings = everyone.flatMap((requester, index) => {
    const request = requests[index] as Request;
    return judgedOutcome('config/status', request, outcomes[index], (answer) => {
      if (answer.status === 200) answered.push({ requester, answer });
      return requesterFindings(build, live, requester, request, answer);
    });
  });
  findings.push(
    ...(yield* ask([...validatorExchanges(deployment, answered), ...againExchange(deployment, live, answered)])),
  );
  const first = answered.find(({ requester }) => requester.name === 'anonymous');
  return first === undefined ? { findings } : { findings, get: first.answer };
}

function requesterFindings(
  build: Build,
  live: LiveList,
  requester: Requester,
  request: Request,
  answer: Answer,
): Finding[] {
  const status = judged('config/status', answer.status === 200, 'CONFIG does not answer 200.', {
    expected: '200',
    found: statusOf(answer),
    hint: `CONFIG must be answered with a file of ${CONFIG.path.slice(1)}, chosen by requester: see ${build.rulesAt}.`,
    url: urlOf(request),
  });
  if (!status.ok) return [status];
  return [
    status,
    contentType(build, 'config', request, answer),
    themeFinding(build, live, requester, request, answer),
    ...endpointFindings(build, 'config', request, answer),
    configCacheFinding(build, request, answer),
  ];
}

function configCacheFinding({ rules, rulesAt }: Build, request: Request, answer: Answer): Finding {
  const value = answer.headers['cache-control'];
  const directives = members(value);
  const isOpen = !directives.includes('private') && !directives.includes('no-store');
  const expected = rules.endpoints.config.cacheControl;
  return judged('config/cache', sameMembers(value, expected), 'CONFIG has another Cache-Control.', {
    expected: `Cache-Control: ${expected}`,
    found: shown(answer, 'Cache-Control'),
    hint: `${isOpen ? "A shared cache may keep one user's theme and give it to others" : 'Clients may keep the theme of an earlier log-in'}: see ${rulesAt}.`,
    url: urlOf(request),
  });
}

/** Whether the document is that of the requester's theme. */
function themeFinding(build: Build, live: LiveList, requester: Requester, request: Request, answer: Answer): Finding {
  const id: CheckId = requester.name === 'anonymous' ? 'config/anonymous' : 'config/as-user';
  const { name, theme } = requester;
  const text = JSON.stringify(jsonOf(answer));
  const found = themeOf(build, live, text);
  if (found === theme) return passed(id, `${name} → ${themeName(build, theme)}`);
  if (id === 'config/as-user' && cookieName(build) === undefined && found === anonymous(build).theme) {
    return passed(id, `${name} not checked: only trusted proxies may say who asks`);
  }
  return fault(
    id,
    `CONFIG gives ${id === 'config/anonymous' ? 'anonymous visitors' : printable(name)} another theme.`,
    {
      expected: themeName(build, theme),
      found: found === undefined ? unknownTheme(answer) : themeName(build, found),
      hint: themeHint(build, requester, isType(answer, 'application/json') && found !== undefined),
      url: urlOf(request),
    },
  );
}

function themeOf(build: Build, live: LiveList, text: string): string | undefined {
  return build.rules.themes.find((slug) => configTexts(build, live, slug).includes(text));
}

function unknownTheme(answer: Answer): string {
  const value = jsonOf(answer);
  if (typeof value !== 'object' || value === null) return 'not a JSON object';
  if (Array.isArray(value)) return 'an array, like that of LIST';
  const { id, name, palette_preview: palette } = value as Record<string, unknown>;
  if (Array.isArray(palette) && palette.length > 0) return 'a record with a palette, like those of LIST';
  return `a record that no theme of this build has: ${printable(`${String(name)} (${String(id)})`)}`;
}

function themeHint({ rulesAt }: Build, { name }: Requester, isOther: boolean): string {
  if (!isOther) return 'Upload phase 2 of manifest.json: the documents of CONFIG are of another build.';
  if (name === 'anonymous')
    return `Without a known user the default theme is served; or a cache kept a user's answer: see ${rulesAt}.`;
  return `The host's mapping of users is missing, of another build, or not loaded: see ${rulesAt}.`;
}

/** Users of a theme, with the ETag and the date that another theme was sent with: 304 would leave them with that theme. */
function validatorExchanges(deployment: Deployment, answered: readonly Answered[]): Exchange[] {
  return answered.flatMap((from, index) => {
    const to = answered[(index + 1) % answered.length];
    if (to === undefined || to.answer.sha256 === from.answer.sha256) return [];
    const { etag, 'last-modified': date } = from.answer.headers;
    return [
      ...(etag === undefined ? [] : [validatorExchange(deployment, to, from, 'If-None-Match', etag)]),
      ...(date === undefined ? [] : [validatorExchange(deployment, to, from, 'If-Modified-Since', date)]),
    ];
  });
}

function validatorExchange(
  deployment: Deployment,
  to: Answered,
  from: Answered,
  header: string,
  value: string,
): Exchange {
  const { build } = deployment;
  const request = configRequest(deployment, to.requester, { [header]: value });
  const judge = (answer: Answer): Finding[] => [
    judged('config/validator', answer.status !== 304, 'CONFIG answers 304 to the validator of another theme.', {
      expected: `200 with ${themeName(build, to.requester.theme)} for ${printable(to.requester.name)}`,
      found: `304 to ${header}: ${printable(value)} of ${themeName(build, from.requester.theme)}`,
      hint: `After a log-in the old theme would stay. The ETag must come from the content, or CONFIG have neither ETag nor Last-Modified: see ${build.rulesAt}.`,
      url: urlOf(request),
    }),
  ];
  return { id: 'config/validator', request, judge };
}

/** Nobody, once more, after users have asked: what a shared cache has kept of theirs would show now. */
function againExchange(deployment: Deployment, live: LiveList, answered: readonly Answered[]): Exchange[] {
  const { build } = deployment;
  const [first, ...users] = answered;
  if (first?.requester.name !== 'anonymous' || users.every(({ answer }) => answer.sha256 === first.answer.sha256))
    return [];
  const request = configRequest(deployment, anonymous(build));
  const judge = (answer: Answer): Finding[] => {
    const leaked = users.find(({ answer: theirs }) => theirs.sha256 === answer.sha256);
    const isLeak = leaked !== undefined && answer.sha256 !== first.answer.sha256;
    return [
      judged('config/shared-cache', !isLeak, 'After a user has asked, anonymous visitors get that theme.', {
        expected: themeName(build, anonymous(build).theme),
        found:
          leaked === undefined
            ? ''
            : themeName(build, themeOf(build, live, JSON.stringify(jsonOf(answer))) ?? leaked.requester.theme),
        hint: `A cache in front keeps CONFIG: exclude ${CONFIG.path} from it, and see ${build.rulesAt}.`,
        url: urlOf(request),
      }),
    ];
  };
  return [{ id: 'config/shared-cache', request, judge }];
}
