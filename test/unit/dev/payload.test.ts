import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Payload, readPayload } from '../../../src/commands/dev/payload.ts';
import { sampledRuns } from '../../long-test.ts';

const FORM = 'application/x-www-form-urlencoded';

async function read(body: string | Uint8Array, contentType: string): Promise<Payload> {
  const payload = await readPayload(Buffer.from(body as string), contentType);
  if (!('fields' in payload)) throw new Error(`Rejected: ${JSON.stringify(payload)}`);
  return payload;
}

async function fieldsOf(body: string, contentType = FORM): Promise<Record<string, unknown>> {
  return Object.fromEntries((await read(body, contentType)).fields);
}

test('media types are case-insensitive and may have parameters', async () => {
  expect(await fieldsOf('{"name":"é"}', ' Application/JSON ; charset=UTF-8')).toEqual({ name: 'é' });
});

test('any body is either read or rejected', async () => {
  const type = fc.constantFrom(
    'application/json',
    FORM,
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'text/plain',
    '',
  );
  const piece = fc.constantFrom(
    '--x\r\n',
    '--x--\r\n',
    '--x',
    '\r\n',
    '\r\n\r\n',
    'Content-Disposition: form-data; name="a"',
    '; filename="b"',
    '"',
    '%',
    '&',
    '=',
    '{',
    '}',
    '[',
    '"a":',
  );
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }).map((parts) => Buffer.from(parts.join(''))),
    fc.json().map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(body, type, async (bytes, contentType) => {
      const result = await readPayload(Buffer.from(bytes), contentType);
      expect([undefined, 400, 413, 415]).toContain('status' in result ? result.status : undefined);
    }),
    { numRuns: sampledRuns(2000) },
  );
});
