import { compact } from '../diagnostics/compact.ts';
import { count, printable } from '../diagnostics/quote.ts';
import { type HttpResponse, type Request, shortHash, statusOf } from '../http/exchange.ts';
import { headerOf, members } from '../probe/headers.ts';
import { CODINGS, conditionalProbe, plainProbe, requestOf, title } from '../probe/table.ts';
import { anonymousTheme, type Deployment, firstOfEach, type Responded, themeName, themeOf } from './build.ts';
import { headerText } from './contract.ts';
import { judged, passed, type Question } from './result.ts';
import type { Plain } from './rows.ts';

/**
 * LIST with its own ETag, which saves every client the download; and each rendering with the ETag of another one, or with one that no
 * response has had: with 304, clients would keep an old document, or a page in place of the JSON (RFC 9110, §8.8.3 and §13.1.2).
 */
export function conditionalQuestions({ url, build }: Deployment, plain: Plain): Question[] {
  const { list, config } = build.rules.endpoints;
  return [list, config].flatMap(({ kind, renderings }) => {
    const present = renderings.filter(({ name }) => plain.has(`${kind} ${name}`));
    const tagOf = (at: number): string | undefined => plain.get(`${kind} ${present[at]?.name}`)?.headers['etag'];
    return present.flatMap((rendering, at): Question[] => {
      const ask = (id: Question['id'], tag: string, status: number, whose: string): Question => ({
        id,
        request: requestOf(conditionalProbe(plainProbe(kind, rendering), 'If-None-Match', tag), url),
        judge: (response) => {
          const isOwn = status === 304 || headerOf(response, 'ETag') !== tag;
          const message = `${title(kind)} does not respond with ${status} to ${whose} ETag.`;
          const expected = status === 304 ? '304' : '200, and an ETag of its own';
          const details = { expected, found: `${statusOf(response)}, ${headerText(response, 'ETag')}` };
          return [judged(id, response.status === status && isOwn, message, details)];
        },
      });
      const [own, next] = [tagOf(at), tagOf((at + 1) % present.length)];
      const tag = next === undefined || present.length === 1 ? '"themecast-verify"' : next;
      const isList = kind === 'list' && rendering.name === 'json' && own !== undefined;
      const unknown = ask(`${kind}/validator`, tag, 200, next === undefined ? 'an unknown' : "another rendering's");
      return isList ? [ask('list/conditional', own, 304, 'its own'), unknown] : [unknown];
    });
  });
}

/** Pairs of themes of each rendering whose validators are compared. */
const MAX_PAIRS = 12;

/** Users of a theme, with the ETag and the date that another theme was sent with: 304 would leave them with that theme. */
export function validatorQuestions(deployment: Deployment, responded: readonly Responded[]): Question[] {
  return responded
    .flatMap((from, index) => {
      const to = responded[(index + 1) % responded.length];
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
  to: Responded,
  from: Responded,
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
      judged('config/validator', status !== 304 && !isSame, message, {
        expected: `200 with ${own} for ${printable(to.requester.name)}, and an ETag of its own`,
        found: `${status} to ${header}: ${printable(value)} of ${old}`,
      }),
    ],
  };
}

/**
 * Requesters once more, after others have asked: the anonymous one, and of each rule one whose key gives another theme and one whose
 * key does not. What a shared cache has stored for one of them, another would get now. That a response was stored proves nothing:
 * Varnish and CloudFront store each theme once, and choose it for each request.
 */
export function againQuestions({ build, url }: Deployment, responded: readonly Responded[]): Question[] {
  if (new Set(responded.map(({ response }) => response.sha256)).size < 2) return [];
  const fallback = anonymousTheme(build);
  const kindOf = ({ requester: { rule, theme } }: Responded): string =>
    `${rule === undefined ? '' : build.rules.identity.indexOf(rule)} ${theme === fallback}`;
  return firstOfEach(responded, kindOf).map(({ probe, requester, response: before }) => {
    const who = requester.name === 'anonymous' ? 'anonymous clients get' : `${printable(requester.name)} gets`;
    return {
      id: 'config/shared-cache',
      request: requestOf(probe, url),
      judge: (response) => {
        const { sha256 } = response;
        const isTheirs = responded.some(({ response: theirs }) => theirs.sha256 === sha256);
        const message = `After requests from others, ${who} the theme of another requester.`;
        return [
          judged('config/shared-cache', sha256 === before.sha256 || !isTheirs, message, {
            expected: themeName(build, requester.theme),
            found: themeName(build, themeOf(build, response, String(probe.returns)) ?? ''),
          }),
        ];
      },
    };
  });
}

/** A document as it is sent uncompressed. */
interface Document {
  /** How messages call it. */
  what: string;
  request: Request;
  sha256: string;
  etag?: string | undefined;
}

/** Every document that was returned, once more in each coding; of pages, the anonymous ones. */
export function compressionQuestions({ url, build }: Deployment, plain: Plain, all: readonly Responded[]): Question[] {
  const { list, config } = build.rules.endpoints;
  const anonymous = [list, config].flatMap(({ kind, renderings }) =>
    renderings.flatMap((rendering): Document[] => {
      const response = plain.get(`${kind} ${rendering.name}`);
      if (response === undefined || (kind === 'config' && rendering.name !== 'html')) return [];
      const what = `${rendering.name === 'html' ? 'the page of ' : ''}${title(kind)}`;
      return [
        { ...response, what, request: requestOf(plainProbe(kind, rendering), url), etag: response.headers['etag'] },
      ];
    }),
  );
  const personalised = all.filter(({ probe }) => probe.returns !== 'html');
  const personal = firstOfEach(personalised, ({ response }) => response.sha256).map(({ probe, response }): Document => {
    const what = probe.returns === 'json' ? 'CONFIG' : `the ${String(probe.returns)} of CONFIG`;
    return { ...response, what, request: requestOf(probe, url), etag: response.headers['etag'] };
  });
  return inEachCoding([...anonymous, ...personal]);
}

/** Documents in each coding: decoded, they must be the same, and caches must keep both apart. */
export function inEachCoding(documents: readonly Document[]): Question[] {
  return documents.flatMap((document) => CODINGS.map((coding) => compressedQuestion(document, coding)));
}

function compressedQuestion({ what, request: plain, sha256, etag }: Document, coding: string): Question {
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
          judged(id, isSame && isAsked, `With ${coding}, ${what} differs from the uncompressed document.`, {
            expected: `the uncompressed document, sha256 ${shortHash(sha256)}`,
            found: foundIn(response),
          }),
        ];
      const tag = headerOf(response, 'ETag');
      const names = members(headerOf(response, 'Vary'));
      // RFC 9110, §8.8.3.3: a strong ETag names the bytes as they are sent.
      const isOwn = tag === undefined || tag.startsWith('W/') || tag !== etag;
      return [
        passed(id, used),
        judged(
          'compression/cache',
          names.includes('accept-encoding') || names.includes('*'),
          `Compressed, ${what} does not list Accept-Encoding in Vary.`,
          { expected: 'Accept-Encoding in Vary', found: headerText(response, 'Vary') },
        ),
        judged('compression/etag', isOwn, `Compressed, ${what} has the ETag of the uncompressed document.`, {
          expected: 'another ETag, or a weak one',
          found: headerText(response, 'ETag'),
        }),
      ];
    },
  };
}

function foundIn(response: HttpResponse): string {
  if (response.status !== 200) return statusOf(response);
  const coding = headerOf(response, 'Content-Encoding');
  const named = coding === undefined ? 'uncompressed' : headerText(response, 'Content-Encoding');
  const size = count(response.bytes, 'byte');
  if (response.end === 'complete') return `${size}, sha256 ${shortHash(response.sha256)}, ${named}`;
  return `${response.end} after ${size}, ${named}`;
}
