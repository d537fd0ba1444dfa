import { type HttpResponse, type Outcome, type Request, statusOf, urlOf } from '../http/exchange.ts';
import type { CheckId } from './checks.ts';
import { fault, judged, type Result } from './result.ts';

/** A request, what its response must be, and what it means if it is not. */
export interface Exchange {
  /** The check of the response, which fails without one, too. */
  id: CheckId;
  request: Request;
  /** The results of a response to which nothing else of this applies. */
  instead?: (response: HttpResponse) => Result[] | undefined;
  /** The status that the response must have, or whether it is right. */
  is: number | ((response: HttpResponse) => boolean);
  /** What is expected. Default: the status */
  expected?: string;
  /** What the response is instead. Default: its status */
  found?: (response: HttpResponse) => string;
  message: string;
  hint: string | ((response: HttpResponse) => string);
  /** What else is checked of a response that is right. */
  also?: (response: HttpResponse) => Result[];
}

/** Sends all requests, several at a time, and returns their outcomes in the same order; the caller owns the sockets. */
export type Send = (requests: readonly Request[]) => Promise<Outcome[]>;

/** Sends all requests, and collects the results. */
export async function ask(send: Send, exchanges: readonly Exchange[]): Promise<Result[]> {
  const outcomes = await send(exchanges.map(({ request }) => request));
  return exchanges.flatMap((exchange, index) => evaluated(exchange, outcomes[index]));
}

/** The results of a response, or the fault that there is none; faults name the URL, unless they have another one. */
export function evaluated(exchange: Exchange, outcome: Outcome | undefined): Result[] {
  const { id, request } = exchange;
  const url = urlOf(request);
  if (outcome !== undefined && !('noResponse' in outcome))
    return resultsOf(exchange, outcome).map((result) => (result.ok ? result : { url, ...result }));
  if (request.isOdd === true) return [];
  const found = outcome?.noResponse ?? 'no response';
  const hint = 'The rest of the site responds: check what handles only this request.';
  return [fault(id, `${request.method} got no response.`, { expected: 'a response', found, hint, url })];
}

/** The results of a response. */
export function resultsOf(
  { id, instead, is, expected = String(is), found = statusOf, message, hint, also = () => [] }: Exchange,
  response: HttpResponse,
): Result[] {
  const others = instead?.(response);
  if (others !== undefined) return others;
  const isRight = typeof is === 'number' ? response.status === is : is(response);
  const details = { expected, found: found(response), hint: typeof hint === 'string' ? hint : hint(response) };
  return [judged(id, isRight, message, details), ...(isRight ? also(response) : [])];
}
