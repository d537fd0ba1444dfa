import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, test, vi } from 'vitest';
import { Decoders } from '../../../src/system/decoder/pool.ts';
import type { Greeting, Job, Numbered } from '../../../src/system/decoder/job.ts';

/** A decoder that repeats each reply before the reply to the next job. */
class RepeatingDecoder extends EventEmitter {
  readonly pid = 0;
  readonly #sent: Numbered<string[]>[] = [];

  constructor(greeting: Greeting = 'ready') {
    super();
    setImmediate(() => this.emit('message', { number: 0, content: greeting }));
  }

  send({ number, content }: Numbered<readonly Job[]>): void {
    const replies = content.map(({ format }) => (format === 'png' ? 'does not decode' : 'decodes'));
    this.#sent.push({ number, content: replies });
    setImmediate(() => this.#sent.slice(-2).forEach((reply) => this.emit('message', reply)));
  }

  kill(): void {
    this.emit('exit', null, 'SIGKILL');
  }
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test('a repeated reply is not mistaken for the reply to the next job', async () => {
  vi.spyOn(childProcess, 'fork').mockImplementation(() => new RepeatingDecoder() as never);
  syncBuiltinESMExports();
  const decoders = new Decoders();
  const job = { bytes: new Uint8Array(), pixelLimit: 1, spec: undefined };
  const limits = { time: 1000, memory: 1e9 };
  expect(await decoders.run({ ...job, format: 'png' }, limits)).toBe('does not decode');
  expect(await decoders.run({ ...job, format: 'gif' }, limits)).toBe('decodes');
  expect(await decoders.run({ ...job, format: 'png' }, limits)).toBe('does not decode');
  decoders.close();
});

test('the reason why a decoder cannot start is a single line', async () => {
  const failure =
    'Could not load the "sharp" module using the linux-x64 runtime\nERR_DLOPEN_FAILED: libvips.so: no space left\nPossible solutions:\n- Ensure optional dependencies can be installed';
  vi.spyOn(childProcess, 'fork').mockImplementation(() => new RepeatingDecoder({ failure }) as never);
  syncBuiltinESMExports();
  const job = { bytes: new Uint8Array(), format: 'png', pixelLimit: 1, spec: undefined } as const;
  await expect(new Decoders().run(job, { time: 1000, memory: 1e9 })).rejects.toThrow(
    /^The process that decodes images cannot be started: Could not load the "sharp" module using the linux-x64 runtime: ERR_DLOPEN_FAILED: libvips\.so: no space left\.$/,
  );
});
