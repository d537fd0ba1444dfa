import { count } from '../diagnostics/quote.ts';
import { LIST } from '../document/endpoint.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { cookiesOf } from '../probe/headers.ts';
import { title } from '../probe/table.ts';
import { type Deployment, firstOfEach } from './build.ts';
import { imageQuestions, schemaResults } from './files.ts';
import { isListOf, listQuestion } from './list.ts';
import { recordQuestion, recordResults } from './records.ts';
import { fault, merged, passed, type Question, resultsOf, type Row, type Send } from './result.ts';
import { KINDS, Session } from './session.ts';

/** The result of a verification. */
export interface Verification {
  checks: Row[];
  /** What was not checked, and why. */
  notes: string[];
}

/** How often LIST is requested again: of several servers behind one address, each gets one of these requests. */
const REPEATED = 3;
/** Images whose requests follow each other: of two servers behind one address, each gets one. */
const MAX_IN_TURN = 200;
/** Limits for each address of the host: addresses, responses of CONFIG, images. */
const [MAX_ADDRESSES, MAX_PERSONAL, MAX_IMAGES] = [8, 16, 6];

/**
 * Verifies a deployment against the contract and against the build of this checkout; if its list is of another build, nothing else.
 * Pure: the caller sends the requests. All are GET, HEAD or OPTIONS, except POST and PUT without a body on an endpoint that is
 * proved to be of this build, which rejects both; and POST on its schemas, if both endpoints and they are of this build.
 * @param onPlan - gets the number of requests that are left, before most of them are sent
 */
export async function verification(
  deployment: Deployment,
  send: Send,
  onPlan: (requests: number) => void = () => undefined,
): Promise<Verification> {
  const first = await listQuestion(deployment);
  const [list] = await send([first.request]);
  const session = new Session(deployment, send, resultsOf(first, list));
  const end = (...notes: string[]): Verification => ({ checks: merged(session.results, deployment), notes });
  if (!isListOf(deployment.build, list))
    return end('No further requests were sent: this is not a theme service, or not of this build, or not yet.');
  session.plain.set('list json', list);
  await session.askConfig();
  const proved = await session.askRenderings();
  const images = imageQuestions(deployment);
  const questions = await session.rest(proved);
  onPlan(questions.length + images.flat().length + REPEATED + 2 * deployment.build.rules.schemas.length + 5);
  await session.ask(questions);
  for (let round = 0; round < REPEATED; round++)
    await session.ask([{ ...first, request: { ...first.request, isFresh: true } }]);
  session.results.push(...(await recordResults(send, deployment)));
  session.results.push(...(await schemaResults(send, deployment, proved.size === KINDS.length)));
  await askImages(session, images, list);
  const notes = await askAddresses(
    session,
    first,
    images.slice(0, MAX_IMAGES).flatMap(([image]) => image ?? []),
  );
  const unproved = KINDS.filter((kind) => !proved.has(kind)).map(title);
  const unsent = `POST and PUT were not sent on ${unproved.join(' and ')}: this build is not proved to be deployed there, and another service might act on them.`;
  return end(...(unproved.length === 0 ? [] : [unsent]), ...notes);
}

/** Every image; and cookies of LIST, which a load balancer may set with every response. */
async function askImages(session: Session, images: readonly Question[][], list: HttpResponse): Promise<void> {
  const cookies = new Set<string>();
  const noting = images.map((questions) =>
    questions.map((question) => ({
      ...question,
      judge: (response: HttpResponse) => {
        for (const name of cookiesOf(response)) cookies.add(name);
        return question.judge(response);
      },
    })),
  );
  for (const requests of noting.slice(0, MAX_IN_TURN)) await session.ask(requests);
  await session.ask(noting.slice(MAX_IN_TURN).flat());
  if (images.length > 0) session.results.push(passed('media/status', `${count(images.length, 'image')} with 200`));
  const names = cookiesOf(list);
  if (names.length === 0) return;
  const isOfAll = names.every((name) => cookies.has(name));
  const details = { expected: 'no Set-Cookie header', found: `a Set-Cookie header: ${names.join(', ')}` };
  const url = session.deployment.url + LIST.path;
  session.results.push(
    isOfAll
      ? fault('headers/cookie', 'Every response sets a cookie.', { ...details, url })
      : fault('headers/cache', 'LIST sets a cookie, which shared caches give to all clients.', { ...details, url }),
  );
}

/** Requests at each address of the host: LIST, CONFIG as one requester of each rule, the record and images. @returns notes */
async function askAddresses(session: Session, list: Question, images: readonly Question[]): Promise<string[]> {
  const { url, addresses = [] } = session.deployment;
  const personal = firstOfEach(session.responded, ({ probe: { returns }, requester: { rule } }) =>
    JSON.stringify([returns, rule]),
  );
  const rows = await session.rows(personal.slice(0, MAX_PERSONAL).map(({ probe }) => probe));
  const notes: string[] = [];
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    const at = (question: Question): Question => ({ ...question, request: { ...question.request, address } });
    const [outcome] = await session.send([at(list).request]);
    if (outcome !== undefined && 'noResponse' in outcome) {
      const { noResponse } = outcome;
      const details = { expected: 'a response', found: noResponse, url: `${url} at the address ${address}` };
      // Here is no IPv6, most often.
      if (noResponse.includes('no route to')) notes.push(`The address ${address} was not verified: ${noResponse}.`);
      else session.results.push(fault('service/address', 'An address of the host does not respond.', details));
      continue;
    }
    const first = resultsOf(at(list), outcome);
    session.results.push(...first);
    if (first.every(({ ok, id }) => ok || id === 'list/base-url'))
      await session.ask([recordQuestion(session.deployment), ...images, ...rows].map(at));
  }
  if (addresses.length > 0)
    session.results.push(passed('service/address', count(addresses.length, 'address', 'addresses')));
  return notes;
}
