import { count } from '../diagnostics/quote.ts';
import { LIST } from '../document/endpoint.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { cookiesOf } from '../probe/headers.ts';
import { title } from '../probe/table.ts';
import { type Deployment, firstOfEach } from './build.ts';
import { imageQuestions, schemaResults } from './files.ts';
import { isListOf, listQuestion } from './list.ts';
import { recordQuestion, recordResults } from './records.ts';
import { fault, mergeResults, passed, type Question, resultsOf, type Row, type Send } from './result.ts';
import { KINDS, Session } from './session.ts';

export interface Verification {
  checks: Row[];
  /** Omitted checks, each with the reason. */
  notes: string[];
}

/** Repeated requests of LIST: each of several servers behind one address should get one. */
const REPEATS = 3;
/** Limits the images whose requests follow each other, so that two servers behind one address get one each. */
const MAX_SEQUENTIAL_IMAGES = 200;
/** Limits the addresses, and the responses of CONFIG and images for each address. */
const [MAX_ADDRESSES, MAX_PERSONAL, MAX_IMAGES] = [8, 16, 6];

/**
 * Verifies a deployment against the contract and this build; stops after the list if that is of another build. The caller sends the
 * requests: GET, HEAD and OPTIONS, and POST and PUT without a body only where the response is proven to be of this build.
 * @param onPlan - receives the number of remaining requests, before most of them are sent
 */
export async function verification(
  deployment: Deployment,
  send: Send,
  onPlan: (requests: number) => void = () => undefined,
): Promise<Verification> {
  const first = await listQuestion(deployment);
  const [list] = await send([first.request]);
  const session = new Session(deployment, send, resultsOf(first, list));
  const end = (...notes: string[]): Verification => ({ checks: mergeResults(session.results, deployment), notes });
  if (!isListOf(deployment.build, list))
    return end('Stopped after one request: this URL does not serve this build (yet), or is no theme service.');
  session.plain.set('list json', list);
  await session.askConfig();
  const proven = await session.askRenderings();
  const images = imageQuestions(deployment);
  const questions = await session.remainingQuestions(proven);
  onPlan(questions.length + images.flat().length + REPEATS + 2 * deployment.build.rules.schemas.length + 5);
  await session.ask(questions);
  for (let round = 0; round < REPEATS; round++)
    await session.ask([{ ...first, request: { ...first.request, isFresh: true } }]);
  session.results.push(...(await recordResults(send, deployment)));
  session.results.push(...(await schemaResults(send, deployment, proven.size === KINDS.length)));
  await askImages(session, images, list);
  const notes = await askAddresses(
    session,
    first,
    images.slice(0, MAX_IMAGES).flatMap(([image]) => image ?? []),
  );
  const unproven = KINDS.filter((kind) => !proven.has(kind)).map(title);
  const unsent = `POST and PUT were not sent on ${unproven.join(' and ')}: this build is not proven to be deployed there, and another service might act on them.`;
  return end(...(unproven.length === 0 ? [] : [unsent]), ...notes);
}

/** Requests every image, and reports cookies that LIST sets. If images set them too, a load balancer is to blame, not LIST. */
async function askImages(session: Session, images: readonly Question[][], list: HttpResponse): Promise<void> {
  const cookies = new Set<string>();
  const recorders = images.map((questions) =>
    questions.map((question) => ({
      ...question,
      judge: (response: HttpResponse) => {
        for (const name of cookiesOf(response)) cookies.add(name);
        return question.judge(response);
      },
    })),
  );
  for (const requests of recorders.slice(0, MAX_SEQUENTIAL_IMAGES)) await session.ask(requests);
  await session.ask(recorders.slice(MAX_SEQUENTIAL_IMAGES).flat());
  if (images.length > 0) session.results.push(passed('media/status', `${count(images.length, 'image')} with 200`));
  const names = cookiesOf(list);
  if (names.length === 0) return;
  const isOfAll = names.every((name) => cookies.has(name));
  const details = { expected: 'no Set-Cookie header', found: `a Set-Cookie header: ${names.join(', ')}` };
  const url = session.deployment.url + LIST.path;
  session.results.push(
    isOfAll
      ? fault('headers/cookie', 'Every response sets a cookie.', { ...details, url })
      : fault('headers/cache', 'LIST sets a cookie, which shared caches send to all clients.', { ...details, url }),
  );
}

/** Requests LIST, CONFIG once per identity rule, the deployment record and some images at each address of the host. @returns notes */
async function askAddresses(session: Session, list: Question, images: readonly Question[]): Promise<string[]> {
  const { url, addresses = [] } = session.deployment;
  const personal = firstOfEach(session.configResponses, ({ probe: { returns }, requester: { rule } }) =>
    JSON.stringify([returns, rule]),
  );
  const questions = await session.questions(personal.slice(0, MAX_PERSONAL).map(({ probe }) => probe));
  const notes: string[] = [];
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    const at = (question: Question): Question => ({ ...question, request: { ...question.request, address } });
    const [outcome] = await session.send([at(list).request]);
    if (outcome !== undefined && 'noResponse' in outcome) {
      const { noResponse, code = '' } = outcome;
      const details = { expected: 'a response', found: noResponse, url: `${url} at the address ${address}` };
      // Usually this machine has no IPv6.
      if (['EHOSTUNREACH', 'ENETUNREACH'].includes(code))
        notes.push(`The address ${address} was not verified: ${noResponse}.`);
      else session.results.push(fault('service/address', 'An address of the host does not respond.', details));
      continue;
    }
    const first = resultsOf(at(list), outcome);
    session.results.push(...first);
    if (first.every(({ ok, id }) => ok || id === 'list/base-url'))
      await session.ask([recordQuestion(session.deployment), ...images, ...questions].map(at));
  }
  if (addresses.length > 0)
    session.results.push(passed('service/address', count(addresses.length, 'address', 'addresses')));
  return notes;
}
