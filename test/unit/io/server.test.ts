import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../../src/http/io/server.ts';

const emitWarning: unknown = Reflect.get(process, 'emitWarning');

describe('startServer', () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  let root: string;
  let url: string;
  let close: () => void;
  beforeAll(async () => {
    process.on('warning', onWarning);
    root = await mkdtemp(path.join(tmpdir(), 'themecast-server-'));
    await writeFile(path.join(root, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const { server, port } = await startServer({ root, port: 0, mediaCache: undefined }, async (request, response) => {
      if (request.url === '/fails') throw new Error('No such thing.');
      if (request.url === '/late') {
        response.setHeader('Content-Type', 'text/plain');
        response.write('half');
        throw new Error('Too late to say.');
      }
      response.emit('next');
    });
    url = `http://127.0.0.1:${port}`;
    close = () => {
      server.closeAllConnections();
      server.close();
    };
  });
  afterAll(async () => {
    process.off('warning', onWarning);
    close();
    await rm(root, { recursive: true });
  });

  it('answers 500 when a request cannot be answered, and lives on', async () => {
    const answer = await fetch(`${url}/fails`);
    expect([answer.status, await answer.text()]).toEqual([500, 'Error: No such thing.']);
    // What was begun is cut off.
    await expect(fetch(`${url}/late`).then((late) => late.text())).rejects.toThrow('terminated');
    expect((await fetch(`${url}/logo.svg`)).status).toBe(200);
  });

  it('causes no warning of Node, and leaves the warnings of others alone', async () => {
    expect(Reflect.get(process, 'emitWarning')).toBe(emitWarning);
    await fetch(`${url}/logo.svg`);
    expect(warnings).toEqual([]);
  });

  it('lists no folder', async () => {
    expect((await fetch(`${url}/`)).status).toBe(404);
  });
});
