import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A problem that an editor underlines. Lines from 0. */
export interface Problem {
  message: string;
  range: { start: { line: number; character: number } };
  severity: number;
}

interface Message {
  id?: number;
  method?: string;
  params?: { uri?: string; diagnostics?: Problem[]; items?: unknown[] };
  result?: unknown;
}

/** Settings as the YAML extension sends them by default, without the catalogue of schemas on the web. */
const SETTINGS = { validate: true, completion: true, hover: true, schemaStore: { enable: false } };

/** The language server of the YAML extensions of editors, over its standard input and output (Language Server Protocol 3.17). */
export class YamlLanguageServer {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  readonly #opened = new Map<string, (problems: Problem[]) => void>();
  #received = Buffer.alloc(0);
  #lastId = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  /** @param settings - of the workspace, such as `{schemas: …}` */
  static async start(folder: string, settings: Record<string, unknown> = {}): Promise<YamlLanguageServer> {
    const bin = path.join(
      createRequire(import.meta.url).resolve('yaml-language-server/package.json'),
      '../bin/yaml-language-server',
    );
    const child = spawn(process.execPath, [bin, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const server = new YamlLanguageServer(child);
    const rootUri = pathToFileURL(folder).href;
    const workspaceFolders = [{ uri: rootUri, name: 'themes' }];
    const capabilities = { textDocument: { hover: { contentFormat: ['plaintext'] } } };
    await server.request('initialize', { processId: process.pid, rootUri, workspaceFolders, capabilities });
    server.#send({ method: 'initialized', params: {} });
    server.#send({
      method: 'workspace/didChangeConfiguration',
      params: { settings: { yaml: { ...SETTINGS, ...settings } } },
    });
    return server;
  }

  /** Opens a text as the file of that name. @returns what is underlined */
  open(file: string, text: string): Promise<Problem[]> {
    const uri = pathToFileURL(file).href;
    return new Promise((resolve) => {
      this.#opened.set(uri, resolve);
      this.#send({
        method: 'textDocument/didOpen',
        params: { textDocument: { uri, languageId: 'yaml', version: 1, text } },
      });
    });
  }

  /** The proposals at a place, from 0. */
  async complete(file: string, line: number, character: number): Promise<string[]> {
    const result = (await this.request('textDocument/completion', place(file, line, character))) as {
      items: { label: string }[];
    };
    return result.items.map(({ label }) => label);
  }

  /** The help at a place, from 0. */
  async hover(file: string, line: number, character: number): Promise<string> {
    const result = (await this.request('textDocument/hover', place(file, line, character))) as {
      contents: { value: string };
    } | null;
    return result?.contents.value ?? '';
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill();
    await ended;
  }

  #send(message: Record<string, unknown>): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const headEnd = this.#received.indexOf('\r\n\r\n') + 4;
      const size = Number(/Content-Length: (\d+)/.exec(this.#received.toString('latin1', 0, headEnd))?.[1]);
      if (headEnd < 4 || this.#received.length < headEnd + size) return;
      const body = this.#received.subarray(headEnd, headEnd + size).toString();
      this.#received = this.#received.subarray(headEnd + size);
      this.#handle(JSON.parse(body) as Message);
    }
  }

  #handle({ id, method, params, result }: Message): void {
    if (method === 'textDocument/publishDiagnostics') {
      this.#opened.get(params?.uri ?? '')?.(params?.diagnostics ?? []);
    } else if (method === 'workspace/configuration') {
      // Asked for again after the settings were sent: the answers are in the order of the questions.
      this.#send({
        id,
        result: (params?.items ?? []).map((item) =>
          (item as { section?: string }).section === 'yaml' ? SETTINGS : {},
        ),
      });
    } else if (method !== undefined && id !== undefined) this.#send({ id, result: null });
    else if (id !== undefined) {
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    }
  }
}

function place(file: string, line: number, character: number): Record<string, unknown> {
  return { textDocument: { uri: pathToFileURL(file).href }, position: { line, character } };
}
