import { expect } from 'vitest';
import { formatParameter, negotiate, type Rendering } from '../../../src/edge-runtime/negotiate.ts';
import { describeRequest, sendAll } from './send.ts';

const ENTRIES = [
  '*/*',
  '*/json',
  'application/*',
  'application/*;v=1',
  'application/json',
  'application/json;q=0',
  'application/json;v=1',
  'application/json ; q=1 ; v=1',
  'application/json;v',
  'application/json;=',
  'application/json;q v=1',
  'application/json;qv=1',
  'application/json/x',
  'text/*',
  'Text/Html',
  'text/html;level=1',
  'text/html;level=1;q=0.5',
  'text/html; Q = 1;',
  'image/png;application/json=1',
  '',
];
const ACCEPTS = ENTRIES.flatMap((first) => [first, ...ENTRIES.map((second) => `${first}, ${second}`)]);
const QUERIES = ['', '?format=json', '?format=api&format=json', '?format=API'];

/**
 * Compares what the rules of a host make of Accept and `format` with what the handler does, for all pairs of many entries.
 * @param path - where the host of the test answers with the word for the rendering that its rules have come to
 */
export async function expectNegotiatesAsHandler(
  port: number,
  path: string,
  words: Readonly<Record<Rendering, string>>,
): Promise<void> {
  const requests = ACCEPTS.flatMap((Accept) =>
    QUERIES.map((query) => ({ request: { path: path + query, headers: { Accept } }, query, Accept })),
  );
  const answers = await sendAll(
    port,
    requests.map(({ request }) => request),
  );
  expect(answers.map(({ body }, index) => `${describeRequest(requests[index]!.request)} ${body}`)).toEqual(
    requests.map(
      ({ request, query, Accept }) => `${describeRequest(request)} ${words[negotiate(formatParameter(query), Accept)]}`,
    ),
  );
}
