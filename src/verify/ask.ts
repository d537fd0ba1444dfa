import type { CheckId } from './checks.ts';
import { type HttpResponse, type Outcome, type Request, urlOf } from '../http/exchange.ts';
import { fault, type Result } from './result.ts';

/** A request, and the evaluation of its response. */
export interface Exchange {
  /** The check that fails without a response. */
  id: CheckId;
  request: Request;
  judge: (response: HttpResponse) => Result[];
}

/** Yields requests and receives their outcomes in the same order; the caller owns the sockets. */
export type Asking<T> = Generator<readonly Request[], T, readonly Outcome[]>;

/** Sends all requests concurrently and collects the results. */
export function* ask(exchanges: readonly Exchange[]): Asking<Result[]> {
  const outcomes = yield exchanges.map(({ request }) => request);
  return exchanges.flatMap(({ id, request, judge }, index) => judgedOutcome(id, request, outcomes[index], judge));
}

/** The results of a response, or the fault that there is none; faults name the URL, unless they have another one. */
export function judgedOutcome(
  id: CheckId,
  request: Request,
  outcome: Outcome | undefined,
  judge: (response: HttpResponse) => Result[],
): Result[] {
  const url = urlOf(request);
  if (outcome !== undefined && !('noResponse' in outcome))
    return judge(outcome).map((result) => (result.ok ? result : { url, ...result }));
  if (request.isOdd === true) return [];
  const found = outcome?.noResponse ?? 'no response';
  const hint = 'The rest of the site responds: check what handles only this request.';
  return [fault(id, `${request.method} got no response.`, { expected: 'a response', found, hint, url })];
}
