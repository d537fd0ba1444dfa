import { compact } from '../diagnostics/compact.ts';
import { count, printable } from '../diagnostics/quote.ts';
import { type HttpResponse, type Request, shortHash, statusOf } from '../http/exchange.ts';
import { headerOf, members } from '../probe/headers.ts';
import { CODINGS, conditionalProbe, plainProbe, requestOf, title } from '../probe/table.ts';
import { anonymousTheme, type Deployment, firstOfEach, type ConfigResponse, themeName, themeOf } from './build.ts';
import { headerText } from './contract.ts';
import { verdict, passed, type Question } from './result.ts';
import type { PlainResponses } from './questions.ts';

/**
 * Requests LIST with its own ETag, and each rendering with a foreign or unknown ETag. After a wrong 304, clients keep an old document,
 * or a page in place of the JSON (RFC 9110, §8.8.3 and §13.1.2).
 */
export function conditionalQuestions({ url, build }: Deployment, plain: PlainResponses): Question[] {
  const { list, config } = build.rules.endpoints;
  return [list, config].flatMap(({ kind, renderings }) => {
    const present = renderings.filter(({ name }) => plain.has(`${kind} ${name}`));
    const etagAt = (index: number): string | undefined => plain.get(`${kind} ${present[index]?.name}`)?.headers['etag'];
    return present.flatMap((rendering, index): Question[] => {
      const question = (id: Question['id'], tag: string, status: number, whose: string): Question => ({
        id,
        request: requestOf(conditionalProbe(plainProbe(kind, rendering), 'If-None-Match', tag), url),
        judge: (response) => {
          const isOwn = status === 304 || headerOf(response, 'ETag') !== tag;
          const message = `${title(kind)} does not respond with ${status} to ${whose} ETag.`;
          const expected = status === 304 ? '304' : '200, and an ETag of its own';
          const details = { expected, found: `${statusOf(response)}, ${headerText(response, 'ETag')}` };
          return [verdict(id, response.status === status && isOwn, message, details)];
        },
      });
      const [etag, nextEtag] = [etagAt(index), etagAt((index + 1) % present.length)];
      const foreignEtag = nextEtag === undefined || present.length === 1 ? '"themecast-verify"' : nextEtag;
      const whose = nextEtag === undefined ? 'an unknown' : "another rendering's";
      const foreign = question(`${kind}/validator`, foreignEtag, 200, whose);
      const isList = kind === 'list' && rendering.name === 'json' && etag !== undefined;
      return isList ? [question('list/conditional', etag, 304, 'its own'), foreign] : [foreign];
    });
  });
}

/** Limits the pairs of responses whose validators are compared. */
const MAX_PAIRS = 12;

/** Requests CONFIG as a user, with the ETag and date of another theme: 304 would leave the user with that theme. */
export function validatorQuestions(deployment: Deployment, configResponses: readonly ConfigResponse[]): Question[] {
  return configResponses
    .flatMap((from, index) => {
      const to = configResponses[(index + 1) % configResponses.length];
      if (to === undefined || to.response.sha256 === from.response.sha256) return [];
      const { etag, 'last-modified': date } = from.response.headers;
      return compact([
        etag !== undefined && validatorQuestion(deployment, to, from, 'If-None-Match', etag),
        date !== undefined && validatorQuestion(deployment, to, from, 'If-Modified-Since', date),
      ]);
    })
    .slice(0, MAX_PAIRS);
}

function validatorQuestion(
  { build, url }: Deployment,
  to: ConfigResponse,
  from: ConfigResponse,
  header: 'If-None-Match' | 'If-Modified-Since',
  value: string,
): Question {
  const [old, own] = [from, to].map(({ requester }) => themeName(build, requester.theme));
  const message = 'CONFIG has the validator of another theme, or responds with 304 to it.';
  const isSame = header === 'If-None-Match' && to.response.headers['etag'] === value;
  return {
    id: 'config/validator',
    request: requestOf(conditionalProbe(to.probe, header, value), url),
    judge: ({ status }) => [
      verdict('config/validator', status !== 304 && !isSame, message, {
        expected: `200 with ${own} for ${printable(to.requester.name)}, and an ETag of its own`,
        found: `${status} to ${header}: ${printable(value)} of ${old}`,
      }),
    ],
  };
}

/**
 * Repeats requests of CONFIG after those from other requesters: the anonymous one, and up to two per rule. If a shared cache had stored a
 * response for one of them, another would get it now. A stored response alone is no fault: Varnish and CloudFront store each theme
 * once, and choose it for each request.
 */
export function repeatQuestions({ build, url }: Deployment, configResponses: readonly ConfigResponse[]): Question[] {
  if (new Set(configResponses.map(({ response }) => response.sha256)).size < 2) return [];
  const fallback = anonymousTheme(build);
  const kindOf = ({ requester: { rule, theme } }: ConfigResponse): string =>
    `${rule === undefined ? '' : build.rules.identity.indexOf(rule)} ${theme === fallback}`;
  return firstOfEach(configResponses, kindOf).map(({ probe, requester, response: before }) => {
    const who = requester.name === 'anonymous' ? 'anonymous clients get' : `${printable(requester.name)} gets`;
    return {
      id: 'config/shared-cache',
      request: requestOf(probe, url),
      judge: (response) => {
        const { sha256 } = response;
        const isTheirs = configResponses.some(({ response: theirs }) => theirs.sha256 === sha256);
        const message = `After requests from others, ${who} the theme of another requester.`;
        return [
          verdict('config/shared-cache', sha256 === before.sha256 || !isTheirs, message, {
            expected: themeName(build, requester.theme),
            found: themeName(build, themeOf(build, response, String(probe.returns)) ?? ''),
          }),
        ];
      },
    };
  });
}

/** An uncompressed document. */
interface Document {
  /** Its name in messages. */
  label: string;
  request: Request;
  sha256: string;
  etag?: string | undefined;
}

/** Requests every returned document again in each content coding; of the pages, only the anonymous ones. */
export function compressionQuestions(
  { url, build }: Deployment,
  plain: PlainResponses,
  all: readonly ConfigResponse[],
): Question[] {
  const { list, config } = build.rules.endpoints;
  const anonymous = [list, config].flatMap(({ kind, renderings }) =>
    renderings.flatMap((rendering): Document[] => {
      const response = plain.get(`${kind} ${rendering.name}`);
      if (response === undefined || (kind === 'config' && rendering.name !== 'html')) return [];
      const label = `${rendering.name === 'html' ? 'the page of ' : ''}${title(kind)}`;
      const request = requestOf(plainProbe(kind, rendering), url);
      return [{ ...response, label, request, etag: response.headers['etag'] }];
    }),
  );
  const personalised = all.filter(({ probe }) => probe.returns !== 'html');
  const personal = firstOfEach(personalised, ({ response }) => response.sha256).map(({ probe, response }): Document => {
    const label = probe.returns === 'json' ? 'CONFIG' : `the ${String(probe.returns)} of CONFIG`;
    return { ...response, label, request: requestOf(probe, url), etag: response.headers['etag'] };
  });
  return inEachCoding([...anonymous, ...personal]);
}

/** Requests documents in each content coding: the decoded bytes must be the same, and caches must keep the codings apart. */
export function inEachCoding(documents: readonly Document[]): Question[] {
  return documents.flatMap((document) => CODINGS.map((coding) => compressedQuestion(document, coding)));
}

function compressedQuestion({ label, request: plain, sha256, etag }: Document, coding: string): Question {
  const id = 'compression/document';
  return {
    id,
    request: { ...plain, headers: { ...plain.headers, 'Accept-Encoding': coding }, decode: true },
    judge: (response) => {
      const used = headerOf(response, 'Content-Encoding')?.trim().toLowerCase() ?? '';
      const isSame = response.status === 200 && response.end === 'complete' && response.sha256 === sha256;
      const isAsked = ['', 'identity', coding, `x-${coding}`].includes(used);
      if (!isSame || !isAsked || used === '' || used === 'identity')
        return [
          verdict(id, isSame && isAsked, `With ${coding}, ${label} differs from the uncompressed document.`, {
            expected: `the uncompressed document, sha256 ${shortHash(sha256)}`,
            found: describe(response),
          }),
        ];
      const tag = headerOf(response, 'ETag');
      const names = members(headerOf(response, 'Vary'));
      // RFC 9110, §8.8.3.3: a strong ETag identifies the encoded bytes.
      const isOwn = tag === undefined || tag.startsWith('W/') || tag !== etag;
      return [
        passed(id, used),
        verdict(
          'compression/cache',
          names.includes('accept-encoding') || names.includes('*'),
          `Compressed, ${label} does not list Accept-Encoding in Vary.`,
          { expected: 'Accept-Encoding in Vary', found: headerText(response, 'Vary') },
        ),
        verdict('compression/etag', isOwn, `Compressed, ${label} has the ETag of the uncompressed document.`, {
          expected: 'another ETag, or a weak one',
          found: headerText(response, 'ETag'),
        }),
      ];
    },
  };
}

function describe(response: HttpResponse): string {
  if (response.status !== 200) return statusOf(response);
  const coding = headerOf(response, 'Content-Encoding');
  const named = coding === undefined ? 'uncompressed' : headerText(response, 'Content-Encoding');
  const size = count(response.bytes, 'byte');
  if (response.end === 'complete') return `${size}, sha256 ${shortHash(response.sha256)}, ${named}`;
  return `${response.end} after ${size}, ${named}`;
}
